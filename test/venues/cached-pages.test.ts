import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NextSlots } from '../../src/availability/store/next-slots.ts'
import type { Venue } from '../../src/contract/public.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase } from '../support/database.ts'
import { holdSlot } from '../support/hold.ts'
import { openSearch, type Search } from '../support/search.ts'

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

type Shown = { venue: Venue; slots: NextSlots }

/** A page's first five venues, without the time at which it was built. */
async function shown(find: Search, query: string, when: Date): Promise<Shown[]> {
  const { venues } = await find(query, { at: when })
  return venues.slice(0, 5).map((venue) => {
    const { as_of: _, ...slots } = venue.availability
    return { venue: { ...venue, availability: { ...venue.availability, as_of: '' } }, slots }
  })
}

/** As in a new process, with nothing cached. */
async function shownAnew(query: string, when: Date): Promise<Shown[]> {
  const pool = openPool(url, 3, () => {})
  try {
    return await shown(await openSearch(pool), query, when)
  } finally {
    await pool.end()
  }
}

test.each(['restaurant', 'gym', 'spa'] as const)(
  'while each %s fills up, the page matches an uncached one',
  async (category) => {
    const find = await openSearch(db)
    const query = `${category} in Canggu`
    for (let turn = 0; turn < 12; turn += 1) {
      const now = after(turn * 90)
      const before = await shown(find, query, now)
      expect(before).toEqual(await shownAnew(query, now))
      const { venue, slots } = before[turn % before.length] ?? {}
      const slot = slots?.slots[0]
      if (!venue || !slot) throw new Error(`no slot at turn ${turn}`)
      const wanted = { venue, slotTime: slot.slot_time, partySize: slot.party_max, at: now }
      expect(await holdSlot(db, wanted)).toMatchObject({ status: 'held' })
    }
    expect(await shown(find, query, after(1_000))).toEqual(await shownAnew(query, after(1_000)))
  },
)

test('a slot is shown until the last millisecond of its lead time, and no longer', async () => {
  const find = await openSearch(db)
  const query = 'restaurant in Canggu'
  const [first] = await shown(find, query, at)
  const [slot] = first?.slots.slots ?? []
  if (!first || !slot) throw new Error('no slot')
  const { rows } = await db.query(
    `select (r.rules ->> 'lead_minutes')::int as lead from service o
     join service_rules r on r.service_id = o.id and r.version = o.rule_version
     where o.venue_id = $1 order by o.position limit 1`,
    [first.venue.id],
  )
  const lastCall = Date.parse(slot.starts_at) - Math.max(rows[0].lead * 60_000, 1)
  const timesAt = async (ms: number) => {
    const venues = await shown(find, query, new Date(ms))
    const same = venues.find(({ venue }) => venue.id === first.venue.id)
    return same?.slots.slots.map(({ slot_time }) => slot_time)
  }
  expect(await timesAt(lastCall - 5)).toContain(slot.slot_time)
  expect(await timesAt(lastCall)).toContain(slot.slot_time)
  expect(await timesAt(lastCall + 1)).not.toContain(slot.slot_time)
})

test('a page stays the same object until a slot on it is taken, and then shows it', async () => {
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

test('pages that share a venue do not invalidate each other', async () => {
  const find = await openSearch(db)
  const [one, other] = ['spas in Ubud', 'massage in Ubud']
  const [page, beside] = [await find(one), await find(other)]
  const ids = new Set(page.venues.map(({ id }) => id))
  expect(beside.venues.some(({ id }) => ids.has(id))).toBe(true)
  expect(await find(one)).toBe(page)
  expect(await find(other)).toBe(beside)
})
