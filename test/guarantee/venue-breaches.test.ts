import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { applyVenueResponses } from '../../src/confirmation/steps/apply-venue-responses.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { findOften, foundFor, kept, later, once } from '../support/breaches.ts'
import { confirmedByVenue, connectAll, say } from '../support/confirming-venue.ts'
import { createSharedDatabase } from '../support/database.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'

let shared: Awaited<ReturnType<typeof createSharedDatabase>>
let db: Pool

beforeAll(async () => {
  shared = await createSharedDatabase(3)
  db = shared.pools[0] as Pool
  await connectAll(db)
})
afterAll(() => shared?.close())

const find = (at: Date) => findOften(shared.pools, at)
const found = (start: BookingStart) => foundFor(db, start)

test('the answer of a venue has its time and a minute more', async () => {
  const at = new Date()
  const start = await requestDaysAhead(db, { at })
  await decideBooking(db, start, stepDeps, at)
  await find(later(at, 15 * 60 + 59))
  expect(await found(start)).toEqual(kept)
  await find(later(at, 15 * 60 + 90))
  const why = 'The venue’s time to answer was over, and 90 s later nothing was decided.'
  expect(await found(start)).toEqual(once('answer', why, 100))
})

describe('a venue that cancels', () => {
  test('is made up for with alternatives in the event and in the booking', async () => {
    const { start, at } = await confirmedByVenue(db)
    await say(db, start, 'cancelled', later(at, 10), 3)
    const { state } = await applyVenueResponses(db, start, stepDeps, later(at, 12))
    expect(state?.status).toBe('cancelled')
    const { rows } = await db.query(
      `select jsonb_array_length(data -> 'alternatives') as named from event
       where booking_id = $1 and type = 'booking.cancelled'`,
      [start.bookingId],
    )
    expect(rows).toEqual([{ named: 5 }])
    await find(later(at, 100))
    expect(await found(start)).toEqual(kept)
  })

  test('and whom nobody listens to is a breach after a minute', async () => {
    const { start, at } = await confirmedByVenue(db)
    await say(db, start, 'cancelled', later(at, 10), 3)
    await find(later(at, 69))
    expect(await found(start)).toEqual(kept)
    await find(later(at, 80))
    const why = 'The venue cancelled the booking, and 70 s later nothing had been done.'
    expect(await found(start)).toEqual(once('recovery', why, 500))
  })
})
