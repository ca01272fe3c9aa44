import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase } from '../support/database.ts'
import { openSearch, type Search } from '../support/search.ts'

let db: Pool
let drop: () => Promise<void>
let find: Search

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 2, () => {})
  drop = database.drop
  find = await openSearch(db)
})
afterAll(async () => {
  await db.end()
  await drop()
})

type Found = Awaited<ReturnType<Search>>['venues'][number]

/** A guest's average spend at a venue, in minor units. */
async function spendOf(venue: Found): Promise<number> {
  const { rows } = await db.query(
    `select min((r.rules->>'spend_per_guest_minor')::bigint)::float8 as spend
     from service o join service_rules r on r.service_id = o.id and r.version = o.rule_version
     where o.venue_id = $1`,
    [venue.id],
  )
  return rows[0].spend
}

test.each([
  'cheap eats in Seminyak',
  'pijat murah di Sanur',
  'spa in Seminyak not expensive',
  'cheap restaurants in Bali',
  'affordable spa in Ubud',
])('%s: the cheapest come first', async (query) => {
  const { venues, interpretation } = await find(query)
  const spends = await Promise.all(venues.map(spendOf))
  expect(venues.length).toBeGreaterThan(0)
  expect(spends).toEqual(spends.toSorted((a, b) => a - b))
  expect(interpretation.price).toBe('Cheap is price level 1 or 2 of 4, the cheapest first.')
  const isNoneCheap = venues.every(({ price_level }) => price_level > 2)
  expect(interpretation.widened?.includes('is of price level 1 or 2') ?? false).toBe(isNoneCheap)
})

test('among venues ordered by distance, cheap ones come before expensive ones', async () => {
  const { venues, interpretation } = await find('cheap restaurants near Monkey Forest')
  expect(interpretation.price).toBe('Cheap is price level 1 or 2 of 4.')
  const dear = venues.map(({ price_level }) => price_level > 2)
  expect(dear).toEqual(dear.toSorted((a, b) => Number(a) - Number(b)))
})

test.each([
  ['upscale restaurant in Seminyak', [3, 4]],
  ['mid-range restaurants in Bali', [2, 3]],
])('%s: those of that price level come first', async (query, levels) => {
  const { venues } = await find(query)
  const isOther = venues.map(({ price_level }) => !levels.includes(price_level))
  expect(isOther[0]).toBe(false)
  expect(isOther).toEqual(isOther.toSorted((a, b) => Number(a) - Number(b)))
})

test('a budget leaves only venues within it', async () => {
  for (const query of ['restaurants in Bali under 300k', 'restoran di Bali di bawah 300rb']) {
    const { venues, interpretation } = await find(query)
    expect(interpretation).toMatchObject({ widened: null, area: 'Bali' })
    expect(interpretation.price).toBe(
      'At most IDR 300,000 per guest, by price or else by average spend.',
    )
    expect(venues.length).toBeGreaterThan(3)
    for (const venue of venues) expect(await spendOf(venue)).toBeLessThanOrEqual(30_000_000)
  }
})

test('if nothing is within the budget, the answer says so, cheapest first', async () => {
  const { venues, interpretation } = await find('massage in Canggu under 20k')
  expect(interpretation.widened).toContain('within that budget')
  const spends = await Promise.all(venues.map(spendOf))
  expect(spends.length).toBeGreaterThan(0)
  expect(spends).toEqual(spends.toSorted((a, b) => a - b))
  expect(spends[0]).toBeGreaterThan(2_000_000)
})

test('a budget in another currency is converted, and the rate is stated', async () => {
  const { venues, interpretation } = await find('dinner in Ubud max 50 USD')
  expect(interpretation.price).toBe(
    'At most IDR 825,000 per guest, by price or else by average spend: ' +
      'USD 50 at a fixed rate of IDR 16,500.',
  )
  for (const venue of venues) expect(await spendOf(venue)).toBeLessThanOrEqual(82_500_000)
  const { interpretation: ofDollar } = await find('lunch under $20 in Singapore')
  expect(ofDollar.price).toContain('At most SGD 20 per guest')
  expect(ofDollar.assumed).toContain('$ is read as SGD')
})

test('a small amount of rupiah means thousands, and the answer says so', async () => {
  const { interpretation } = await find('spa in Ubud under 500')
  expect(interpretation.price).toContain('IDR 500,000')
  expect(interpretation.assumed).toContain('500 is read as IDR 500,000')
})

test('a budget applies on every page, and with a date as a field', async () => {
  const query = 'restaurants in Bali under 300k'
  const all = (await find(query)).venues.map(({ slug }) => slug)
  const first = await find(query, { limit: 3 })
  const second = await find(query, { limit: 50, cursor: first.next_cursor ?? '' })
  const pages = [...first.venues, ...second.venues].map(({ slug }) => slug)
  expect(pages.toSorted()).toEqual(all.toSorted())
  const { venues } = await find(query, { party_size: 2, date: '2026-11-25' })
  expect(venues.length).toBeGreaterThan(0)
  for (const venue of venues) expect(await spendOf(venue)).toBeLessThanOrEqual(30_000_000)
})

test('a named venue is shown whatever it costs', async () => {
  const { venues } = await find('Satu Meja under 10k')
  expect(venues[0]?.name).toBe('Satu Meja')
})

test.each(['bar open late in Kuta tonight', 'restaurants in Bali open until midnight'])(
  '%s: only venues that close late',
  async (query) => {
    const { venues, interpretation } = await find(query)
    expect(interpretation.hours).toBe('Open until 23:00 or later.')
    expect(venues.length).toBeGreaterThan(0)
    for (const { slug } of venues) {
      const { rows } = await db.query(
        `select max(w->>'close') as close from venue v join service o on o.venue_id = v.id
         join service_rules r on r.service_id = o.id and r.version = o.rule_version,
         jsonb_array_elements(r.rules->'windows') w where v.slug = $1`,
        [slug],
      )
      expect(rows[0].close >= '23:00').toBe(true)
    }
  },
)

test('if nothing is open late, the answer says so, those closing last first', async () => {
  const { venues, interpretation } = await find('gym in Canggu open late')
  expect(venues.length).toBeGreaterThan(0)
  expect(interpretation.widened).toContain('is open until 23:00')
})
