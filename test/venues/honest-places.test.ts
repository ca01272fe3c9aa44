import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

describe('a place that is not covered', () => {
  test.each([
    ['restaurant in Da Nang', 'Da Nang, Vietnam', 'An Bang', 21],
    ['restaurant in Danang', 'Da Nang, Vietnam', 'An Bang', 21],
    ['sushi Tokyo', 'Tokyo, Japan', 'BGC', 2996],
    ['restaurant in Nha Trang', 'Nha Trang, Vietnam', 'Thao Dien', 312],
    ['dinner in Paris', 'Paris, France', 'Bahan', 8880],
    ['restaurants Chiang Rai', 'Chiang Rai, Thailand', 'Nimman', 153],
    ['dinner in Nice', 'Nice, France', 'Bahan', 8638],
    ['bars in Japan', 'Japan', 'BGC', 2996],
    ['restaurant in Kyoto, Japan', 'Kyoto, Japan', 'BGC', 2710],
    ['yoga in Koh Samui', 'Ko Samui, Thailand', 'Phuket Old Town', 250],
    ['pijat di Bogor', 'Bogor, Indonesia', 'Kemang', 37],
    ['gym Petaling Jaya', 'Petaling Jaya, Malaysia', 'Bangsar', 8],
  ])('%s: nothing is shown, and the nearest area is named', async (query, place, area, km) => {
    const { venues, interpretation } = await find(query)
    expect(venues).toEqual([])
    expect(interpretation).toMatchObject({
      area: null,
      corrections: [],
      widened: null,
      not_covered: { place, kinds: [], nearest: { area, distance_km: km } },
    })
    expect(interpretation.hint).toContain(`${place} is not covered`)
  })

  test('lists the covered cities and islands, nearest first', async () => {
    const { interpretation } = await find('restaurant in Da Nang')
    const { areas, kinds } = interpretation.not_covered?.covered ?? {}
    expect(areas?.slice(0, 3)).toEqual(['Hoi An', 'Siem Reap', 'Ho Chi Minh City'])
    expect(areas).toContain('Bali')
    expect(kinds).toEqual(['restaurant', 'bar', 'gym', 'spa'])
  })

  test.each(['restaurant in Boracay', 'bars on Boracay'])(
    'is accepted as such even if no list has it: %s',
    async (query) => {
      const { venues, interpretation } = await find(query)
      expect(venues).toEqual([])
      expect(interpretation.not_covered).toMatchObject({ place: 'boracay', nearest: null })
    },
  )

  test('is a place in the network if it is meant by another spelling', async () => {
    expect((await find('bar in Djakarta')).interpretation).toMatchObject({
      area: 'Jakarta',
      corrections: [{ from: 'djakarta', to: 'Jakarta' }],
      not_covered: null,
    })
  })

  test('is a quarter of a covered city', async () => {
    const { venues, interpretation } = await find('dinner in Senopati')
    expect(interpretation).toMatchObject({ near: 'Senopati', not_covered: null })
    expect(venues[0]?.city).toBe('Jakarta')
  })

  test('is part of a covered area if it is close to it', async () => {
    const { venues, interpretation } = await find('spa in Tuban, Bali')
    expect(interpretation).toMatchObject({ near: 'Tuban', not_covered: null })
    expect(venues[0]?.area).toBe('Kuta')
  })

  test.each(['Italian like in Rome, Seminyak', 'Italian in Seminyak like in Da Nang'])(
    'does not matter next to one that is covered: %s',
    async (query) => {
      const { venues, interpretation } = await find(query)
      expect(interpretation).toMatchObject({ area: 'Seminyak', corrections: [], text: 'italian' })
      expect(interpretation.not_covered).toBeNull()
      expect(venues[0]?.tags).toContain('italian')
    },
  )

  test('never hides a venue that is named', async () => {
    await db.query(`update venue set name = 'Tokyo Nights' where slug = 'padi-warung-seminyak'`)
    const { venues, interpretation } = await find('tokyo nights')
    expect(venues[0]?.name).toBe('Tokyo Nights')
    expect(interpretation.not_covered).toBeNull()
  })
})

describe('a kind that is not offered', () => {
  test.each([
    ['hotel room in Ubud', 'hotel'],
    ['helicopter tour in Bali', 'helicopter'],
    ['car rental in Canggu', 'car rental'],
    ['sewa mobil Bali', 'sewa mobil'],
    ['flight to Bali', 'flight'],
    ['hairdresser Seminyak', 'hairdresser'],
    ['cooking class Ubud', 'cooking class'],
    ['museum in Yogyakarta', 'museum'],
    ['villas in Seminyak', 'villas'],
    ['villa with a private chef in Canggu', 'villa'],
  ])('%s: nothing is shown', async (query, kind) => {
    const { venues, interpretation } = await find(query)
    expect(venues).toEqual([])
    expect(interpretation.corrections).toEqual([])
    expect(interpretation.not_covered?.kinds).toContain(kind)
    expect(interpretation.hint).toContain('cannot be booked here')
  })

  test('is said if it has what is offered, but not if it is only where that is', async () => {
    const kindsIn = async (query: string) => (await find(query)).interpretation.not_covered?.kinds
    expect(await kindsIn('hotel in Ubud with breakfast')).toEqual(['hotel'])
    expect(await kindsIn('hotel di Seminyak dengan spa')).toEqual(['hotel'])
    expect(await kindsIn('hotel bar with a view in Ubud')).toBeUndefined()
    expect(await kindsIn('breakfast at a hotel with a view in Ubud')).toBeUndefined()
  })

  test('does not hide a kind that is offered', async () => {
    const { venues, interpretation } = await find('onsen hotel Sanur')
    expect(interpretation).toMatchObject({ category: 'spa', area: 'Sanur', text: 'onsen' })
    expect(venues).not.toEqual([])
  })
})

describe('the area is kept', () => {
  test.each([
    ['sunset cocktails in Uluwatu', 'bar', 'Uluwatu', ['Uluwatu']],
    ['jazz bar Jakarta', 'bar', 'Jakarta', ['Menteng', 'Kemang']],
    ['tasting menu Bangkok', 'restaurant', 'Bangkok', ['Thonglor', 'Silom', 'Ari']],
    ['couples spa Ubud', 'spa', 'Ubud', ['Ubud']],
    ['romantic dinner with view in Uluwatu', 'restaurant', 'Uluwatu', ['Uluwatu']],
  ])('%s: other words are dropped, and reported', async (query, category, area, areas) => {
    const { venues, interpretation } = await find(query)
    expect(interpretation).toMatchObject({ category, area })
    expect(venues.length).toBeGreaterThan(0)
    for (const venue of venues) expect(areas).toContain(venue.area)
    expect(interpretation.dropped.length).toBeGreaterThan(0)
  })

  test('a couple is two guests', async () => {
    expect((await find('couples spa Ubud')).interpretation.party_size).toBe(2)
  })

  test('a dish is looked for nearby, and not on another island', async () => {
    const { interpretation } = await find('sushi in Amed')
    expect(interpretation).toMatchObject({ area: 'Amed', text: 'sushi' })
    expect(interpretation.widened).toContain('all of Bali is shown')
    const { venues } = await find('sushi in Kuala Lumpur')
    expect(venues.every(({ country }) => country === 'MY')).toBe(true)
  })

  test('if the nearest are promised first, they are first at any hour', async () => {
    const { venues, interpretation } = await find('crossfit canggu 6am')
    expect(interpretation.widened).toContain('the nearest first')
    expect(venues[0]?.area).toBe('Pererenan')
  })
})

test.each(['wifi to work in Canggu', 'a place to work with my laptop in Ubud'])(
  '%j is not about a gym',
  async (query) => {
    const { interpretation, venues } = await find(query)
    expect(interpretation.category).toBe('restaurant')
    expect(venues[0]?.category).toBe('restaurant')
  },
)

test('several kinds are searched for one by one, and an itinerary joins them', async () => {
  const { interpretation } = await find('massage and dinner in Seminyak')
  expect(interpretation.other_categories).toEqual(['restaurant'])
  expect(interpretation.hint).toBe(
    'Only a spa was searched for. Search for a restaurant separately; an itinerary books them ' +
      'together or not at all.',
  )
})

describe('landmarks', () => {
  test.each(['restaurant near the airport Bali', 'restaurant in Bali near the airport'])(
    '%s is near Ngurah Rai',
    async (query) => {
      const { venues, interpretation } = await find(query)
      expect(interpretation.near).toBe('Ngurah Rai Airport')
      expect(venues[0]?.area).toBe('Kuta')
    },
  )

  test('an ambiguous airport is not guessed', async () => {
    const { interpretation } = await find('restaurant near the airport')
    expect(interpretation).toMatchObject({ near: null, dropped: ['airport'] })
    expect(interpretation.hint).toMatch(/^Which airport is meant\? .*Changi.*, Ngurah Rai Airport/)
  })

  test('"near" is not 25 km away', async () => {
    const { venues } = await find('breakfast near Ubud monkey forest')
    expect(new Set(venues.map(({ area }) => area))).toEqual(new Set(['Ubud']))
  })
})

describe('typos', () => {
  test.each(['Changu', 'Changgu', 'Cangu'])('%s is Canggu', async (word) => {
    const { interpretation } = await find(`brunch ${word} sunday`)
    expect(interpretation).toMatchObject({ area: 'Canggu', widened: null })
    expect(interpretation.corrections).toEqual([{ from: word.toLowerCase(), to: 'Canggu' }])
  })

  test.each(['asik', 'tour', 'trang'])('%s is no typo', async (word) => {
    expect((await find(`${word} di Canggu`)).interpretation.corrections).toEqual([])
  })

  test('a common word is a typo within a known phrase', async () => {
    expect((await find('craft bear in Legian')).interpretation.corrections).toEqual([
      { from: 'bear', to: 'beer' },
    ])
  })
})

describe('several kinds', () => {
  test('are reported as several', async () => {
    const { venues, interpretation } = await find('massage, dinner and bar in Seminyak')
    expect(interpretation).toMatchObject({
      category: 'spa',
      other_categories: ['restaurant', 'bar'],
      area: 'Seminyak',
      text: 'massage',
    })
    expect(interpretation.hint).toContain('a restaurant and a bar')
    expect(venues.every(({ category, area }) => category === 'spa' && area === 'Seminyak')).toBe(
      true,
    )
  })

  test.each([
    ['massage then dinner at 8 in Ubud tomorrow', '16:30', 'to end by 20:00'],
    ['pijat terus makan malam jam 8 di Ubud besok', '16:30', 'to end by 20:00'],
    ['tonight massage then drinks at 10 in Seminyak', '18:00', 'to end by 22:00'],
    ['massage at 5 then dinner at 8 in Ubud tomorrow', '17:00', '5 o’clock is read as 17:00'],
  ])('%s: a time is that of what it follows', async (query, time, assumed) => {
    const { interpretation } = await find(query)
    expect(interpretation).toMatchObject({ category: 'spa', time })
    expect(interpretation.assumed).toContain(assumed)
  })

  test('are distinct from what a venue has', async () => {
    const { interpretation } = await find('restaurant with live music and cocktails in Seminyak')
    expect(interpretation).toMatchObject({ category: 'restaurant', other_categories: [] })
  })
})

test('the words of a name are shown as they were written', async () => {
  expect((await find('Kelapa Bathhouse')).interpretation.text).toBe('kelapa bathhouse')
})
