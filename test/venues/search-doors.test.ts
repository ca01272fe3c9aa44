import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainWords } from '../../src/base/plain-text.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase } from '../support/database.ts'
import { daily } from '../support/nightly.ts'
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

test('category and area filter, and the words of the text select', async () => {
  const { venues, interpretation } = await find('sushi in Canggu')
  expect(interpretation).toEqual({
    category: 'restaurant',
    other_categories: [],
    area: 'Canggu',
    near: null,
    text: 'sushi',
    party_size: null,
    date: null,
    time: null,
    facts: [],
    price: null,
    hours: null,
    dropped: [],
    corrections: [],
    widened: null,
    assumed: null,
    excluded: [],
    notes: null,
    not_covered: null,
    hint: null,
  })
  expect(venues.length).toBeGreaterThan(0)
  for (const { category, area, tags } of venues) {
    expect([category, area]).toEqual(['restaurant', 'Canggu'])
    expect(tags).toContain('sushi')
  }
})

test('an island or a country stands for all of its areas', async () => {
  const { venues } = await find('spas in Lombok')
  expect(new Set(venues.map(({ area }) => area))).toEqual(new Set(['Senggigi', 'Kuta Lombok']))
  const { venues: vietnamese } = await find('bars in Vietnam')
  expect(new Set(vietnamese.map(({ country }) => country))).toEqual(new Set(['VN']))
})

test.each([
  ['pijat di Ubud', 'spa', 'Ubud', 'massage'],
  ['kebugaran dekat Sanur', 'gym', 'Sanur', ''],
  ['warung di Ubud', 'restaurant', 'Ubud', 'warung'],
  ['KL bars', 'bar', 'Kuala Lumpur', ''],
  ['pho in Saigon', 'restaurant', 'Ho Chi Minh City', 'pho'],
  ['spa Gili T', 'spa', 'Gili Trawangan', ''],
  ['restaurnt in Seminyk', 'restaurant', 'Seminyak', ''],
  ['hot spring Sanur', 'spa', 'Sanur', 'onsen'],
])('%j is %s in %s', async (query, category, area, text) => {
  const { venues, interpretation } = await find(query)
  expect(interpretation).toMatchObject({ category, area, text, widened: null })
  expect(venues[0]).toMatchObject({ category })
})

test('a misspelt place or category is corrected, and the answer says so', async () => {
  const { interpretation } = await find('pilatse in Cangu')
  expect(interpretation.corrections).toEqual([
    { from: 'pilatse', to: 'pilates' },
    { from: 'cangu', to: 'Canggu' },
  ])
})

test('a word that occurs at any venue is never corrected', async () => {
  const { interpretation } = await find('padi')
  expect(interpretation).toMatchObject({ text: 'padi', corrections: [] })
})

test('a date in another century is not a date', async () => {
  const { interpretation } = await find('dinner in Canggu on 9999-12-31')
  expect(interpretation).toMatchObject({ area: 'Canggu', date: null })
})

test.each(['Satu Meja', 'book satu meja for 2 tomorrow', 'Satu Mejja', 'satu meja ubud'])(
  'the venue named in %j comes first',
  async (query) => {
    expect((await find(query)).venues[0]?.name).toBe('Satu Meja')
  },
)

test('a named venue is shown in its real area, and the answer says so', async () => {
  const { venues, interpretation } = await find('tirta sari warung in Canggu')
  expect(venues[0]?.name).toBe('Tirta Sari Warung')
  expect(interpretation.widened).toBe('Tirta Sari Warung is not in Canggu: it is in Ubud.')
})

test('names are normalised alike in the database and in queries', async () => {
  const names = [
    'Cây Đa',
    'Old Man’s – Bar & Grill',
    "Jum'at",
    'Ramen-ya',
    ' ÉCLAIR  2 ',
    'ครัว ไทย',
  ]
  const { rows } = await db.query(
    'select plain_words(name) as plain from unnest($1::text[]) as n (name)',
    [names],
  )
  expect(rows.map(({ plain }) => plain)).toEqual(names.map((name) => plainWords(name).join(' ')))
})

test('a venue is found by its name, alone and within a sentence', async () => {
  const { rows } = await db.query('select name, slug from venue order by slug')
  for (const { name, slug } of daily(rows, 60)) {
    const slugs = async (query: string) => (await find(query)).venues.map((one) => one.slug)
    expect([name, (await slugs(name))[0]]).toEqual([name, slug])
    const sentence = `can I get a table at ${name} for 3 tomorrow at 8pm?`
    expect([sentence, (await slugs(sentence))[0]]).toEqual([sentence, slug])
  }
})

test('near a landmark, the nearest come first', async () => {
  const { venues, interpretation } = await find('spa near Tanah Lot')
  expect(interpretation).toMatchObject({ near: 'Tanah Lot', category: 'spa' })
  expect(venues[0]?.area).toBe('Pererenan')
  expect(new Set(venues.map(({ city }) => city))).toEqual(new Set(['Bali']))
})

test('a sentence gives slots for its party from its time on', async () => {
  const { venues, interpretation } = await find('book me a table in Seminyak for 4 tomorrow at 7')
  expect(interpretation).toMatchObject({ party_size: 4, date: '2026-11-22', time: '19:00' })
  expect(venues[0]?.availability.slots[0]?.slot_time).toBe('2026-11-22T19:00:00')
  for (const { availability } of venues) {
    for (const { slot_time, party_max } of availability.slots) {
      expect(slot_time >= '2026-11-22T19:00:00').toBe(true)
      expect(party_max).toBeGreaterThanOrEqual(4)
    }
  }
})

test('"at seven" means evening for dinner and morning for a class', async () => {
  const time = async (query: string) => (await find(query)).interpretation.time
  expect(await time('dinner in Ubud tomorrow at 7')).toBe('19:00')
  expect(await time('yoga in Ubud tomorrow at 7')).toBe('07:00')
  expect(await time('yoga in Ubud tomorrow evening at 7')).toBe('19:00')
})

test('without a place, a date is in the first venue’s time zone', async () => {
  const at = new Date('2026-11-21T16:30:00Z')
  const dates = async (query: string) => (await find(query, { at })).interpretation.date
  expect(await dates('dinner in Bali tomorrow')).toBe('2026-11-23')
  expect(await dates('dinner in Bangkok tomorrow')).toBe('2026-11-22')
  expect(await dates('satu meja tomorrow')).toBe('2026-11-23')
})

test('a word that occurs nowhere is dropped, and the others still count', async () => {
  const { venues, interpretation } = await find('sushi zzyzx in Canggu')
  expect(interpretation).toMatchObject({ text: 'sushi', dropped: ['zzyzx'], widened: null })
  expect(venues.map(({ id }) => id)).toEqual(
    (await find('sushi in Canggu')).venues.map((one) => one.id),
  )
})

test('when no venue has the words, all of the category and area are shown, saying so', async () => {
  const { venues, interpretation } = await find('zzyzx spa in Ubud')
  expect(interpretation).toMatchObject({ category: 'spa', area: 'Ubud', text: '' })
  expect(interpretation.dropped).toContain('zzyzx')
  expect(interpretation.widened).toContain('Ubud')
  expect(new Set(venues.map(({ area }) => area))).toEqual(new Set(['Ubud']))
})

test('an area without such a venue widens to its island, the nearest first', async () => {
  await db.query(
    `update venue set area_slug = 'gili-air' where category = 'gym' and area_slug = 'gili-meno'`,
  )
  const { venues, interpretation } = await find('gym in Gili Meno')
  expect(interpretation).toMatchObject({ category: 'gym', area: 'Gili Meno' })
  expect(interpretation.widened).toContain('all of Gili Islands is shown')
  expect(new Set(venues.map(({ city }) => city))).toEqual(new Set(['Gili Islands']))
})

test('a city without such a venue widens to its neighbours', async () => {
  await db.query(
    `update venue set area_slug = 'kemang' where category = 'spa' and area_slug = 'prawirotaman'`,
  )
  const { venues, interpretation } = await find('spa in Yogyakarta')
  expect(interpretation.widened).toContain('Yogyakarta')
  expect(venues[0]).toMatchObject({ category: 'spa', country: 'ID' })
})

test('words of different venues find those with any of them, best match first', async () => {
  const { venues, interpretation } = await find('sushi tacos in Bali')
  expect(interpretation.widened).not.toBeNull()
  const tags = venues.flatMap((venue) => venue.tags)
  expect(tags).toContain('sushi')
  expect(tags).toContain('tacos')
})

test('a query without meaning finds nothing, lists dropped words and suggests others', async () => {
  for (const query of ['zzyzx qwrtp', 'a nice place', '!!!', '的 ของ']) {
    const { venues, interpretation, next_cursor } = await find(query)
    expect([venues, next_cursor]).toEqual([[], null])
    expect(interpretation).toMatchObject({ category: null, area: null, text: '', widened: null })
    expect(interpretation.hint).toContain('sushi in Canggu')
  }
  expect((await find('zzyzx qwrtp')).interpretation.dropped).toEqual(['zzyzx', 'qwrtp'])
})

test.each([
  'massage',
  'restaurant',
  'zzyzx bar in Bali',
  'sushi tacos in Bali',
  'padi grill',
  'dinner near Seminyak Beach',
  'a table in Bali for 2 tomorrow at 7',
])('the pages of "%s" together make the whole list, with each venue once', async (query) => {
  const whole = await findAll(query, 50)
  expect(whole.length).toBeGreaterThan(3)
  expect(new Set(whole).size).toBe(whole.length)
  for (const limit of [1, 3, 20]) {
    const pages = await findAll(query, limit)
    expect(pages.toSorted()).toEqual(whole.toSorted())
  }
})

async function findAll(query: string, limit: number): Promise<string[]> {
  const slugs: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await find(query, { limit, ...(cursor && { cursor }) })
    slugs.push(...page.venues.map(({ slug }) => slug))
    cursor = page.next_cursor
  }
  return slugs
}

test.each([
  '',
  'x',
  'e30',
  'bm90IGpzb24',
  Buffer.from('{"start":{"step":-1,"rank":0,"slug":"a"},"size":1,"shown":[]}').toString(
    'base64url',
  ),
])('the cursor %j is refused', async (cursor) => {
  await expect(find('restaurant', { cursor })).rejects.toMatchObject({
    data: { code: 'invalid_cursor' },
  })
})

test('property: any text gets an answer', async () => {
  const query = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      expect((await find(`restaurant ${text}`)).interpretation).toHaveProperty('dropped')
    }),
  )
})
