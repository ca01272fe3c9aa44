import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { demoVenues } from '../../src/venues/demo/venues.ts'
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

test.each([
  ['kid friendly restaurant in Sanur', 'Sanur', 'kid friendly'],
  ['restoran ramah anak di Ubud', 'Ubud', 'kid friendly'],
  ['family friendly restaurant Canggu', 'Canggu', 'kid friendly'],
  ['dinner with kids in Seminyak', 'Seminyak', 'kid friendly'],
  ['romantic dinner in Ubud', 'Ubud', 'romantic'],
  ['date night restaurant Thonglor', 'Thonglor', 'romantic'],
  ['tempat makan halal di Canggu', 'Canggu', 'halal'],
  ['gluten free restaurant Pererenan', 'Pererenan', 'gluten free'],
  ['restaurant with outdoor seating in Uluwatu', 'Uluwatu', 'outdoor'],
  ['al fresco dinner Sanur', 'Sanur', 'outdoor'],
  ['quiet spa in Ubud', 'Ubud', 'quiet'],
  ['spa yang tenang di Seminyak', 'Seminyak', 'quiet'],
  ['couples spa Ubud', 'Ubud', 'couples'],
  ['sunset cocktails in Uluwatu', 'Uluwatu', 'sunset'],
  ['bar with a view in Seminyak', 'Seminyak', 'view'],
  ['jazz bar in Ubud', 'Ubud', 'live music'],
])(
  '%s: venues in %s that are marked %s come first, or the answer says that none is',
  async (query, area, tag) => {
    const { venues, interpretation } = await find(query)
    expect(interpretation.area).toBe(area)
    expect(venues.length).toBeGreaterThan(0)
    expect(new Set(venues.map((venue) => venue.area))).toEqual(new Set([area]))
    const isMarked = venues.map(({ tags }) => tags.includes(tag))
    if (interpretation.widened === null) expect(isMarked[0]).toBe(true)
    else expect(isMarked).not.toContain(true)
  },
)

test('the marks of demo venues agree with what they are and serve', () => {
  const venues = demoVenues()
  const marked = (tag: string) => venues.filter(({ tags }) => tags.includes(tag))
  for (const tag of ['kid friendly', 'halal', 'romantic', 'outdoor', 'quiet', 'gluten free']) {
    expect(marked(tag).length, tag).toBeGreaterThan(5)
    expect(marked(tag).length, tag).toBeLessThan(venues.length / 2)
  }
  const text = ({ description, tags }: (typeof venues)[number]) =>
    `${description} ${tags.join(' ')}`
  for (const venue of [...marked('halal'), ...marked('kid friendly')]) {
    expect(venue.category).not.toBe('bar')
    expect(text(venue)).not.toMatch(/mezcal|cocktail|wine/i)
  }
  for (const venue of marked('halal')) expect(text(venue)).not.toMatch(/babi|pata|pork|beer/i)
  const welcoming = venues.filter(({ description }) => description.includes('Children are welcome'))
  for (const { tags, slug } of welcoming) expect(tags, slug).toContain('kid friendly')
})
