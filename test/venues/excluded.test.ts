import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { demoAreas } from '../../src/venues/demo/venues.ts'
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

const summaryOf = async (query: string) => {
  const { venues, interpretation } = await find(query)
  return { ...interpretation, names: venues.map(({ name }) => name), venues }
}

/** Dishes and cuisines that restaurants are tagged with. */
const dishes = [
  'sushi',
  'ramen',
  'seafood',
  'steak',
  'pizza',
  'italian',
  'mexican',
  'thai',
  'curry',
].concat(['vegan', 'balinese', 'indonesian', 'brunch', 'fine dining', 'nasi campur', 'noodles'])
const forms = [
  'DISH',
  'no DISH',
  'no DISH restaurant',
  'without DISH',
  'anything but DISH',
  'not DISH',
  'not in the mood for DISH',
  'everything except DISH',
  'non-DISH',
  'neither DISH nor karaoke',
  'tanpa DISH',
  'selain DISH',
  'kecuali DISH',
  'bukan DISH',
  'jangan DISH',
  'tidak mau DISH',
  "don't want DISH",
  'no karaoke, DISH or jazz',
  'dinner but no DISH',
  'not a DISH place',
]

test('property: nothing shown, on any page, has the dish that is not wanted', async () => {
  const areas = fc.constantFrom(...demoAreas.map(({ name }) => name))
  const dish = fc.constantFrom(...dishes)
  await fc.assert(
    fc.asyncProperty(areas, dish, fc.constantFrom(...forms.slice(1)), async (area, not, form) => {
      const query = `${form.replace('DISH', not)} in ${area}`
      let cursor: string | undefined
      do {
        const page = await find(query, { limit: 3, ...(cursor && { cursor }) })
        expect(page.interpretation.excluded.join(), query).toContain(not)
        for (const { name, tags, cuisine } of page.venues) {
          const known = [name, ...tags, ...cuisine].join(' ').toLowerCase()
          expect(known, query).not.toMatch(new RegExp(`\\b${not}\\b`))
        }
        cursor = page.next_cursor ?? undefined
      } while (cursor)
    }),
    { numRuns: 30 },
  )
})

test.each([
  ['sushi but not in canggu, seminyak please', ['canggu'], ['Canggu']],
  ['dinner anywhere but Canggu', ['canggu'], ['Canggu']],
  ['bar in Bali but not in Kuta or Legian', ['kuta', 'legian'], ['Kuta', 'Legian']],
  [
    'anywhere except Kuta, Legian and Seminyak for dinner',
    ['kuta', 'legian', 'seminyak'],
    ['Kuta'],
  ],
  ['makan malam selain di Kuta', ['kuta'], ['Kuta']],
  ['dinner in Bali outside Ubud', ['ubud'], ['Ubud']],
  [
    'bar in Bali, not in Kuta, Legian or Seminyak',
    ['kuta', 'legian', 'seminyak'],
    ['Kuta', 'Legian', 'Seminyak'],
  ],
  ['bar anywhere in Bali but Seminyak', ['seminyak'], ['Seminyak']],
])('an area is left out: %s', async (query, excluded, areas) => {
  const found = await summaryOf(query)
  expect(found).toMatchObject({ excluded })
  expect(found.venues.length).toBeGreaterThan(0)
  for (const venue of found.venues) expect(areas).not.toContain(venue.area)
})

test.each([
  ['not a bar in Seminyak', 'bar'],
  ['something fun in Canggu but no spas', 'spa'],
  ['neither restaurant nor bar in Sanur', 'restaurant'],
])('a kind is left out: %s', async (query, kind) => {
  const { venues } = await find(query)
  expect(venues.length).toBeGreaterThan(0)
  expect(venues.map(({ category }) => category)).not.toContain(kind)
})

test.each([
  ['dinner in Ubud but not Jepun Grill', ['Jepun Grill']],
  ['dinner in Ubud except Satu Meja and Jepun Grill', ['Satu Meja', 'Jepun Grill']],
  ['massage in Seminyak, anywhere but Daun Pisang Massage House', ['Daun Pisang Massage House']],
])('venues are left out by name: %s', async (query, not) => {
  const { names } = await summaryOf(query)
  expect(names.length).toBeGreaterThan(0)
  for (const name of not) expect(names).not.toContain(name)
})

test.each([
  'why not sushi in Canggu',
  'not only sushi in Canggu',
  "can't not have sushi in Canggu",
  'nothing but sushi in Canggu',
])('what only looks like a negation stays a wish: %s', async (query) => {
  const { text, excluded, names } = await summaryOf(query)
  expect({ text, excluded }).toEqual({ text: 'sushi', excluded: [] })
  expect(names).toEqual(['Angin Laut Sushi'])
})

test('a wish stays beside what is not wanted, and what cannot be left out is said', async () => {
  expect((await summaryOf('not sushi, Japanese in Canggu')).names).toEqual(['Langit Ramen-ya'])
  const airport = await summaryOf('dinner in Bali not near the airport')
  expect(airport.hint).toContain('Could not be excluded: airport.')
  const cheap = await summaryOf('not cheap dinner in Seminyak')
  expect(cheap.price).toContain('Upscale')
})

test.each([
  ['dinner in Ubud, peanut allergy', 'Peanut allergy', []],
  ['I am allergic to nuts and shellfish, dinner in Sanur', 'Am allergic to nuts and shellfish', []],
  ['not too spicy dinner in Ubud', 'Not too spicy', []],
  ['no pork no lard restaurant sanur', 'No pork no lard', ['pork']],
  ['no seafood, peanut allergy, dinner in Ubud', 'No seafood, peanut allergy', ['seafood']],
  ['seafood allergy, dinner in Jimbaran', 'Seafood allergy', ['seafood']],
  ['makan malam di Ubud, alergi kacang', 'Alergi kacang', []],
  ['massage in Ubud, but not with Made', 'Not with Made', []],
])('what only the venue can see to becomes its notes: %s', async (query, notes, excluded) => {
  const found = await summaryOf(query)
  expect(found).toMatchObject({ notes, excluded, not_covered: null, widened: null })
  expect(found.hint).toContain(`Book with \`notes\` "${notes}"`)
  expect(found.venues.length).toBeGreaterThan(1)
  for (const { availability } of found.venues) {
    if (availability.book_with) expect(availability.book_with).toMatchObject({ notes })
  }
})

test.each([
  ['jgn yoga, gym biasa aja di ubud', 'yoga'],
  ['an ordinary gym in Ubud not yoga', 'yoga'],
  ['aqua gym in Ubud not yoga', 'yoga'],
  ['gym in Canggu but no pilates, beginner friendly', 'pilates'],
  ['crossfit in Ubud, not yoga', 'yoga'],
  ['trampoline gym in Ubud without yoga', 'yoga'],
])('wider readings and descriptions bring back nothing excluded: %s', async (query, not) => {
  const { venues, interpretation } = await find(query)
  expect(interpretation.excluded).toEqual([not])
  expect(venues.length).toBeGreaterThan(0)
  for (const { name, tags } of venues) {
    expect([name, ...tags].join(' ').toLowerCase(), query).not.toContain(not)
  }
})

test('a spa or gym with what is wanted stays, though it also has what is not', async () => {
  const { names, excluded } = await summaryOf('massage in Ubud without body scrub')
  expect(excluded).toEqual(['body scrub'])
  expect(names.length).toBeGreaterThan(1)
})

test('a budget for the whole party is compared per guest, and said', async () => {
  const price = async (query: string) => (await find(query)).interpretation.price
  expect(await price('resto sanur budget 500rb berdua')).toContain('At most IDR 250,000 per guest')
  expect(await price('resto sanur total 500rb utk 2 org')).toContain('as 500 rb is for all 2')
  expect(await price('resto sanur 500rb per orang, berdua')).toContain('At most IDR 500,000 per')
})

test('a place of the network stays whole beside a word that nobody knows', async () => {
  const { area, names } = await summaryOf('dinner xyzzyq in george town')
  expect(area).toBe('George Town')
  expect(names.length).toBeGreaterThan(0)
})

test('a booking of before is no search, and ordinary words are no places', async () => {
  for (const query of ['cancel my booking in Ubud tonight', 'same place as last time, 2 people']) {
    const { venues, interpretation } = await find(query)
    expect(venues, query).toEqual([])
    expect(interpretation.hint).toContain('`GET /api/bookings`')
  }
  const best = await find('best man here, a bar for 10 lads in Ubud')
  expect(best.interpretation).toMatchObject({ area: 'Ubud', not_covered: null, corrections: [] })
  const open = await find('somewhere in Seminyak that takes 8 on saturday night, no min spend')
  expect(open.interpretation).toMatchObject({ party_size: 8, notes: 'No min spend', excluded: [] })
  const bare = await find('9 wrestlers, bar in Seminyak at 8pm')
  expect(bare.interpretation.hint).toContain('is not clear (“9 wrestlers”)')
})

test('either kind, dish or area will do', async () => {
  const kinds = await summaryOf('spa or gym in Ubud')
  expect(new Set(kinds.venues.map(({ category }) => category))).toEqual(new Set(['spa', 'gym']))
  expect(kinds.hint).toContain('spa, gym')
  const both = ['Angin Laut Sushi', 'Langit Ramen-ya']
  expect((await summaryOf('sushi or ramen in Canggu')).names.toSorted()).toEqual(both)
  expect((await summaryOf('massage or yoga in Ubud')).names).toContain('Tirta Sari Yoga')
})

test('no time is shown to a party that is not counted', async () => {
  const family = await find('dinner with my family in Sanur tomorrow 7pm')
  const asks = 'How many people is not clear (“with my family”). No times are shown'
  expect(family.interpretation).toMatchObject({
    party_size: null,
    date: '2026-11-22',
    time: '19:00',
    hint: expect.stringContaining(asks),
  })
  for (const { availability } of family.venues) {
    expect(availability).toMatchObject({ slots: [], note: expect.stringContaining('No times') })
  }
  const told = await find('dinner with my family in Sanur tomorrow 7pm', { party_size: 3 })
  expect(told.interpretation).toMatchObject({ party_size: 3, hint: null })
  expect(told.venues.some(({ availability }) => availability.slots.length > 0)).toBe(true)
  const unknown = await find('dinner with my family in Sanur', { date: '2026-11-23' })
  expect(unknown.interpretation.hint).toContain(asks)
  expect(unknown.venues.flatMap(({ availability }) => availability.slots)).toEqual([])
})

test('occasions and meals choose the kind, and meals before or after only the time', async () => {
  for (const [query, kind] of [
    ["New Year's Eve in Seminyak", 'restaurant'],
    ['birthday party of 6 in Seminyak', 'restaurant'],
    ['pork ribs seminyak', 'restaurant'],
    ['brekkie in Canggu', 'restaurant'],
    ['bukber sanur', 'restaurant'],
    ['post-dinner drinks in Seminyak', 'bar'],
    ['before we have dinner, a massage in Ubud', 'spa'],
  ] as const) {
    expect((await find(query)).interpretation, query).toMatchObject({ category: kind })
  }
  const home = await find('massage at home in Canggu')
  expect(home.interpretation.hint).toContain('"at home" is not offered: guests come to the venue.')
})
