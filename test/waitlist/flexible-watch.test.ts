import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { upsertLimits } from '../../src/bookings/store/limits.ts'
import type { NetworkEngine } from '../../src/network.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { scanWaitlist } from '../../src/waitlist/steps/scan-waitlist.ts'
import { selectOptionalEntryOf } from '../../src/waitlist/store/entry-view.ts'
import { createDatabase, openTestPool } from '../support/database.ts'
import { fillSlot, releaseBooking } from '../support/full-slot.ts'
import { addWatch } from './add-watch.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 5)
})
afterAll(async () => {
  await db.end()
  await database.drop()
})

const tenMinutesAgo = () => new Date(Date.now() - 10 * 60_000)

test('a watch whose account is refused the nearest slot is offered another', async () => {
  const { slot, holders } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const { bookingId, accountId } = holders[0] as BookingStart
  await releaseBooking(db, { bookingId, accountId })
  // The released booking overlaps with the slot, but with no slot that begins later.
  await db.query(
    `update booking set reason_code = 'released', starts_at = starts_at + interval '1 minute',
       ends_at = starts_at + interval '2 minutes' where id = $1`,
    [bookingId],
  )
  await upsertLimits(db, accountId, { live: 100, perVenueDay: 1 })
  const { entryId } = await addWatch(db, slot, {
    accountId,
    flexMinutes: 120,
    at: tenMinutesAgo(),
  })
  const engine = {
    begin: async () => {},
    resumeEntry: async () => false,
    notifyEntry: async () => {},
  } as unknown as NetworkEngine
  const { offered } = await scanWaitlist({ db, engine, log: createLog('silent') }, new Date())
  const watch = await selectOptionalEntryOf(db, accountId, entryId)
  expect(watch).toMatchObject({ status: 'offered', hold_id: offered[0] })
  expect(watch?.hold_slot_time).not.toBe(slot.slotTime)
})
