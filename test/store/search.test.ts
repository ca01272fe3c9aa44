import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findVenues } from '../../src/search/find-venues.ts'
import { type Lexicon, loadLexicon } from '../../src/search/lexicon.ts'
import { openPool, type Pool } from '../../src/store/sql.ts'
import { createDatabase } from '../support/database.ts'

let db: Pool
let drop: () => Promise<void>
let lexicon: Lexicon

beforeAll(async () => {
  const database = await createDatabase()
  db = openPool(database.url, 2, () => {})
  drop = database.drop
  lexicon = await loadLexicon(db)
})
afterAll(async () => {
  await db.end()
  await drop()
})

const find = (query: string, limit = 50, cursor?: string) =>
  findVenues(db, lexicon, { query, limit, cursor })

test('kind and area decide, the words of the text select and rank', async () => {
  const { venues, interpretation } = await find('sushi in Canggu')
  expect(interpretation).toEqual({
    category: 'restaurant',
    area: 'Canggu',
    text: 'sushi',
    dropped: ['in'],
    widened: null,
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

test('a word that occurs nowhere is dropped and the others still count', async () => {
  const { venues, interpretation } = await find('sushi zzyzx in Canggu')
  expect(interpretation).toMatchObject({ text: 'sushi', dropped: ['in', 'zzyzx'], widened: null })
  expect(venues.map(({ id }) => id)).toEqual(
    (await find('sushi in Canggu')).venues.map((one) => one.id),
  )
})

test('when nothing has the words, every venue of the kind and area is shown, and the answer says so', async () => {
  const { venues, interpretation } = await find('zzyzx spa in Ubud')
  expect(interpretation).toMatchObject({ category: 'spa', area: 'Ubud', text: '' })
  expect(interpretation.dropped).toContain('zzyzx')
  expect(interpretation.widened).toContain('Ubud')
  expect(new Set(venues.map(({ area }) => area))).toEqual(new Set(['Ubud']))
})

test('an area without such a venue widens to its island', async () => {
  await db.query(
    `update venue set area_slug = 'gili-air' where category = 'gym' and area_slug = 'gili-meno'`,
  )
  const { venues, interpretation } = await find('gym in Gili Meno')
  expect(interpretation).toMatchObject({ category: 'gym', area: 'Gili Islands' })
  expect(interpretation.widened).toContain('Gili Meno')
  expect(new Set(venues.map(({ city }) => city))).toEqual(new Set(['Gili Islands']))
})

test('words that match different venues find those that have any of them, the better match first', async () => {
  const { venues, interpretation } = await find('sushi tacos in Bali')
  expect(interpretation.widened).not.toBeNull()
  const tags = venues.flatMap((venue) => venue.tags)
  expect(tags).toContain('sushi')
  expect(tags).toContain('tacos')
})

test('nothing understood finds nothing and names what was dropped', async () => {
  for (const query of ['zzyzx qwrtp', 'a nice place', '!!!', '的 ของ']) {
    const { venues, interpretation, next_cursor } = await find(query)
    expect([venues, next_cursor]).toEqual([[], null])
    expect(interpretation).toMatchObject({ category: null, area: null, text: '', widened: null })
  }
  expect((await find('zzyzx qwrtp')).interpretation.dropped).toEqual(['zzyzx', 'qwrtp'])
})

test.each(['massage', 'restaurant', 'zzyzx bar in Bali', 'sushi tacos in Bali'])(
  'pages of "%s" together are the whole, each venue once and in the same order',
  async (query) => {
    const whole = await findAll(query, 50)
    expect(whole.length).toBeGreaterThan(3)
    expect(new Set(whole).size).toBe(whole.length)
    expect(await findAll(query, 3)).toEqual(whole)
  },
)

async function findAll(query: string, limit: number): Promise<string[]> {
  const slugs: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await find(query, limit, cursor)
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
  Buffer.from('{"reading":-1,"rank":0,"slug":"a"}').toString('base64url'),
])('the cursor %j is refused', async (cursor) => {
  await expect(find('restaurant', 10, cursor)).rejects.toMatchObject({
    data: { code: 'invalid_cursor' },
  })
})

test('property: any text is answered', async () => {
  const query = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      expect((await find(`restaurant ${text}`)).interpretation).toHaveProperty('dropped')
    }),
  )
})
