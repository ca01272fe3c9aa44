import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NextSlots, selectAvailability } from '../../src/availability/store/availability.ts'
import type { VenueRow } from '../../src/availability/store/venues.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { selectVenues } from '../../src/venues/store/venue-search.ts'
import { createDatabase } from '../support/database.ts'
import { holdSlot } from '../support/hold.ts'
import { openSearch } from '../support/search.ts'

let db: Pool
let url: string
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createDatabase()
  url = database.url
  db = openPool(url, 3, () => {})
  drop = database.drop
})
afterAll(async () => {
  await db.end()
  await drop()
})

/** Saturday, 18:00 in Bali. */
const at = new Date('2026-11-21T10:00:00Z')
const after = (ms: number) => new Date(at.getTime() + ms)

const venuesOf = async (category: 'restaurant' | 'gym' | 'spa'): Promise<VenueRow[]> => {
  const found = await selectVenues(db, {
    category,
    areas: ['canggu'],
    origin: null,
    exceptNames: [],
    terms: [],
    match: 'all',
    after: null,
    limit: 5,
  })
  return found.map(({ venue }) => venue)
}

async function shown(pool: Pool, venues: readonly VenueRow[], when: Date): Promise<NextSlots[]> {
  const found = await selectAvailability(pool, venues, { at: when, feePct: 2.5, count: 3 })
  return [...found.values()]
}

/** By a process that has never been asked, and so remembers nothing. */
async function shownAnew(venues: readonly VenueRow[], when: Date): Promise<NextSlots[]> {
  const pool = openPool(url, 3, () => {})
  try {
    return await shown(pool, venues, when)
  } finally {
    await pool.end()
  }
}

test.each(['restaurant', 'gym', 'spa'] as const)(
  'as a %s fills up, what is shown is always what it would be without a memory',
  async (category) => {
    const venues = await venuesOf(category)
    for (let turn = 0; turn < 12; turn += 1) {
      const now = after(turn * 90)
      const before = await shown(db, venues, now)
      expect(before).toEqual(await shownAnew(venues, now))
      const [venue] = venues.slice(turn % venues.length)
      const slot = before[turn % venues.length]?.slots[0]
      if (!venue || !slot) throw new Error(`no slot at turn ${turn}`)
      const wanted = { venue, slotTime: slot.slot_time, partySize: slot.party_max, at: now }
      expect(await holdSlot(db, wanted)).toMatchObject({ status: 'held' })
    }
    expect(await shown(db, venues, after(1_000))).toEqual(await shownAnew(venues, after(1_000)))
  },
)

test('a slot is shown until the last millisecond of its lead time and not a millisecond longer', async () => {
  const venues = await venuesOf('restaurant')
  const [first] = (await shown(db, venues, at)).flatMap(({ slots }) => slots)
  if (!first) throw new Error('no slot')
  const { rows } = await db.query(
    `select (r.rules ->> 'lead_minutes')::int as lead from offering o
     join offering_rules r on r.offering_id = o.id and r.version = o.rule_version
     where o.venue_id = $1 order by o.position limit 1`,
    [venues[0]?.id],
  )
  const lastCall = Date.parse(first.starts_at) - Math.max(rows[0].lead * 60_000, 1)
  const same = venues.slice(0, 1)
  const timesAt = async (ms: number) =>
    (await shown(db, same, new Date(ms)))[0]?.slots.map(({ slot_time }) => slot_time)
  expect(await timesAt(lastCall - 5)).toContain(first.slot_time)
  expect(await timesAt(lastCall)).toContain(first.slot_time)
  expect(await timesAt(lastCall + 1)).not.toContain(first.slot_time)
})

test('a page is the same object until a slot on it is taken, and then it shows so', async () => {
  const find = await openSearch(db)
  const query = 'restaurants in Sanur'
  const page = await find(query)
  expect(await find(query)).toBe(page)
  expect(await find(query, { at: after(5_000) })).not.toBe(page)

  const again = await find(query)
  const [venue] = again.venues
  const [slot] = venue?.availability.slots ?? []
  if (!venue || !slot) throw new Error('no slot')
  const wanted = { venue, slotTime: slot.slot_time, partySize: slot.party_max, at }
  expect(await holdSlot(db, wanted)).toMatchObject({ status: 'held' })
  const later = await find(query)
  expect(later.venues[0]?.availability.slots[0]).not.toEqual(slot)
  expect(later.venues.slice(1)).toEqual(again.venues.slice(1))
})

test('pages that show the same venue do not make one another be written anew', async () => {
  const find = await openSearch(db)
  const [one, other] = ['spas in Ubud', 'massage in Ubud']
  const [page, beside] = [await find(one), await find(other)]
  const ids = new Set(page.venues.map(({ id }) => id))
  expect(beside.venues.some(({ id }) => ids.has(id))).toBe(true)
  expect(await find(one)).toBe(page)
  expect(await find(other)).toBe(beside)
})
