import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/base/durations.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { selectBookingStart } from '../../src/bookings/store/booking-starts.ts'
import { selectBooking } from '../../src/bookings/store/booking-view.ts'
import { selectReturns } from '../../src/bookings/store/limits.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { selectOptionalEntryStart } from '../../src/waitlist/store/queue.ts'
import { createDatabase, openTestPool } from '../support/database.ts'
import { requestDaysAhead, writeRequest } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'
import { addWatch } from '../waitlist/add-watch.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 5)
  await db.query(`update area set timezone = 'America/New_York'`)
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

/** Local times in New York that occur twice or never, with the instant that each means. */
const times = [
  ['2027-11-07T01:30:00', '2027-11-07T05:30:00.000Z'],
  ['2027-03-14T02:30:00', '2027-03-14T07:30:00.000Z'],
] as const

test.for(times)(
  '%s is %s for a request, its workflow and a watch',
  async ([slotTime, startsAt]) => {
    const start = await requestDaysAhead(db)
    const bookingId = randomUUIDv7()
    await writeRequest(db, { ...start, bookingId, slotTime }, new Date())
    expect(await selectBookingStart(db, bookingId)).toMatchObject({ slotTime, startsAt })
    expect(await selectBooking(db, bookingId)).toMatchObject({
      status: 'pending',
      starts_at: startsAt,
    })
    const { entryId } = await addWatch(db, { ...start, slotTime, startsAt })
    expect(await selectOptionalEntryStart(db, entryId)).toMatchObject({ slotTime, startsAt })
  },
)

test('a slot that a booking left counts as given back until the slot’s end', async () => {
  const [slotTime, startsAt] = times[0]
  const start = await requestDaysAhead(db)
  await decideBooking(db, start, stepDeps, new Date())
  await db.query('update booking set changes = 1 where id = $1', [start.bookingId])
  await db.query(
    `insert into event (id, account_id, number, booking_id, transition_id, type, data, created_at)
     select $1, account_id, 1000, booking_id, transition_id, 'booking.amended', $3, now()
     from event where booking_id = $2 limit 1`,
    [
      randomUUIDv7(),
      start.bookingId,
      { previous: { slot_time: slotTime }, booking: { slot_time: start.slotTime } },
    ],
  )
  const { starts_at, ends_at } = await selectBooking(db, start.bookingId)
  const lasts = Date.parse(ends_at ?? '') - Date.parse(starts_at)
  const returnsAfter = (ms: number) => {
    const from = Date.parse(startsAt) + ms
    const slot = { startsAt: new Date(from), endsAt: new Date(from + HOUR_MS) }
    return selectReturns(db, start, slot, new Date())
  }
  expect(await returnsAfter(lasts - 1)).toHaveLength(1)
  expect(await returnsAfter(lasts)).toEqual([])
})
