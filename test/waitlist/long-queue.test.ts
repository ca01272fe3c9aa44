import { afterEach, beforeEach, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/base/durations.ts'
import { toInstant } from '../../src/base/local-time.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import type { NetworkEngine } from '../../src/network.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createLog, type Log } from '../../src/platform/telemetry/log.ts'
import type { EntryStart } from '../../src/waitlist/rules/entry.ts'
import { scanWaitlist } from '../../src/waitlist/steps/scan-waitlist.ts'
import { inThreeDays } from '../support/agent.ts'
import { createDatabase, openTestPool } from '../support/database.ts'
import { fillRest, fillSlot, releaseBooking } from '../support/full-slot.ts'
import { addVenue } from '../support/test-venues.ts'
import { addWatch } from './add-watch.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool
let deps: { db: Pool; engine: NetworkEngine; log: Log }

beforeEach(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 10)
  deps = { db, engine, log: createLog('silent') }
})

afterEach(async () => {
  await db.end()
  await database.drop()
})

const inAnHour = () => new Date(Date.now() + HOUR_MS)
const engine = {
  notifyEntry: async () => {},
  begin: async () => {},
  resumeEntry: async () => false,
} as unknown as NetworkEngine

const statusesOf = async (entries: readonly EntryStart[]) => {
  const { rows } = await db.query('select id, status from waitlist_entry', [])
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  return entries.map(({ entryId }) => statuses.get(entryId))
}

test('a release checks 50 entries, and the scan that is then due checks the rest', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const long = new Date(Date.now() - HOUR_MS)
  // Parties too large to fit, so that they stay at the head of the queue.
  for (let n = 0; n < 50; n += 1) await addWatch(db, slot, { partySize: 5_000 + n, at: long })
  const behind = await addWatch(db, slot)
  await db.query('update waitlist_venue set checked_at = now()')
  await releaseBooking(db, holders[0] as BookingStart)
  expect(await statusesOf([behind])).toEqual(['watching'])
  expect(await scanWaitlist(deps, new Date())).toMatchObject({
    venues: 1,
    offered: [expect.any(String)],
  })
  expect(await statusesOf([behind])).toEqual(['offered'])
})

test('a release offers at most ten holds, and the scan that is then due the rest', async () => {
  const rules = { places: 12, party_max: 12, durations: [{ party_max: 12, minutes: 60 }] }
  const venue = await addVenue(db, [{ strategy: 'pooled', rules }])
  const slotTime = `${inThreeDays()}T19:00:00`
  const { id: venueId, slug: venueSlug, name: venueName, timezone } = venue
  const startsAt = toInstant(timezone, slotTime)?.toISOString() ?? ''
  const slot = { venueId, venueSlug, venueName, timezone, slotTime, startsAt, partySize: 12 }
  const [owner] = await fillRest(db, slot, new Date())
  const entries: EntryStart[] = []
  for (let n = 0; n < 12; n += 1) entries.push(await addWatch(db, slot, { partySize: 1 }))
  await db.query('update waitlist_venue set checked_at = now()')
  await releaseBooking(db, owner as BookingStart)
  const offered = (await statusesOf(entries)).filter((status) => status === 'offered')
  expect(offered).toHaveLength(10)
  await scanWaitlist(deps, new Date())
  expect(new Set(await statusesOf(entries))).toEqual(new Set(['offered']))
})

test('a scan reaches the entries behind any number that nobody has room for', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const long = new Date(Date.now() - HOUR_MS)
  for (let n = 0; n < 8; n += 1) await addWatch(db, slot, { partySize: 5_000 + n, at: long })
  const behind = await addWatch(db, slot)
  await db.query('update allocation set active = false where booking_id = $1', [
    holders[0]?.bookingId,
  ])
  await scanWaitlist(deps, inAnHour(), 3)
  expect(await statusesOf([behind])).toEqual(['offered'])
})

test('however many entries or holds cannot be notified, the scan reaches the rest', async () => {
  const { slot } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  for (let n = 0; n < 101; n += 1) await addWatch(db, slot)
  const last = await addWatch(db, slot)
  await db.query(
    `update waitlist_entry set until = now() - interval '1 hour'
       - case id when $1 then '0' else '1 hour' end::interval`,
    [last.entryId],
  )
  const told: string[] = []
  const notifyEntry = async ({ entryId }: EntryStart) => {
    if (entryId !== last.entryId) throw new Error('refused for ever')
    told.push(entryId)
  }
  const scan = await scanWaitlist({ ...deps, engine: { ...engine, notifyEntry } }, new Date())
  expect(told).toEqual([last.entryId])
  expect(scan.notified).toBe(1)
  expect(scan.failures.length).toBeGreaterThan(0)
})

test('scans at the same time visit each venue once, and offer to each entry once', async () => {
  const VENUES = 8
  const queues: EntryStart[] = []
  for (let n = 0; n < VENUES; n += 1) {
    const rules = { places: 4, party_max: 4, durations: [{ party_max: 4, minutes: 60 }] }
    const venue = await addVenue(db, [{ strategy: 'pooled', rules }])
    const slotTime = `${inThreeDays()}T19:00:00`
    const { id: venueId, slug: venueSlug, name: venueName, timezone } = venue
    const startsAt = toInstant(timezone, slotTime)?.toISOString() ?? ''
    const slot = { venueId, venueSlug, venueName, timezone, slotTime, startsAt, partySize: 2 }
    queues.push(await addWatch(db, slot))
  }
  const at = inAnHour()
  const scans = await Promise.all([scanWaitlist(deps, at), scanWaitlist(deps, at)])
  const offered = scans.flatMap((scan) => scan.offered)
  expect(scans.reduce((sum, { venues }) => sum + venues, 0)).toBe(VENUES)
  expect(offered).toHaveLength(VENUES)
  expect(new Set(offered).size).toBe(VENUES)
  expect(new Set(await statusesOf(queues))).toEqual(new Set(['offered']))
  expect(await scanWaitlist(deps, at)).toMatchObject({ venues: 0, offered: [] })
})
