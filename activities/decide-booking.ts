import type { BookingStart, Decision } from '../src/model/booking-messages.ts'
import type { Pool } from '../src/store/sql.ts'
import { confirmBooking, type Terms } from './confirm-booking.ts'
import { openBooking } from './open-booking.ts'

/**
 * Takes a booking at an `auto` venue from its request to its answer: hold, then confirm, each in a transaction of its own and each
 * once. Run again, it answers the same; the state is then what the row says now.
 */
export async function decideBooking(
  db: Pool,
  start: BookingStart,
  terms: Terms,
  at: Date,
): Promise<Decision> {
  const opening = await openBooking(db, start, at)
  if ('refusal' in opening) return { answer: opening, state: null }
  const decision = await confirmBooking(db, start, terms, at)
  return opening.status === 'held' ? decision : { ...decision, state: opening }
}
