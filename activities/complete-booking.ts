import type { BookingStart, BookingState } from '../src/model/booking-messages.ts'
import { because } from '../src/model/timeline-words.ts'
import { selectBooking } from '../src/store/booking-view.ts'
import { selectBookingForUpdate, updateBookingStatus } from '../src/store/bookings.ts'
import { releaseInventory } from '../src/store/inventory.ts'
import { clearNaturalKey } from '../src/store/requests.ts'
import type { Pool } from '../src/store/sql.ts'
import { stepOnce } from '../src/store/transitions.ts'
import type { Terms } from './confirm-booking.ts'
import { hearVenue } from './hear-venue.ts'

/**
 * Completes a confirmed booking whose time has come, unless its venue has cancelled it; otherwise changes nothing. Answers where
 * the booking stands now.
 */
export async function completeBooking(
  db: Pool,
  start: BookingStart,
  terms: Terms,
  at: Date,
): Promise<BookingState> {
  const { accountId, bookingId: id } = start
  // What the venue said may be written down although nobody could tell the workflow.
  const { state } = await hearVenue(db, start, terms, at)
  if (!state) throw new Error(`booking ${id} does not exist`)
  if (state.status !== 'confirmed' || !isDue(state, at)) return state
  return stepOnce(db, { accountId, bookingId: id, transitionId: 'complete', at }, async (tx) => {
    const confirmed = await selectBookingForUpdate(tx, id)
    const move = { to: 'completed', nextActionAt: null, ...because.slotIsOver, at } as const
    const completed = await updateBookingStatus(tx, confirmed, move)
    await releaseInventory(tx, id)
    await clearNaturalKey(tx, id)
    const booking = await selectBooking(tx, id)
    return { result: completed, events: [{ type: 'booking.completed', data: { booking } }] }
  })
}

const isDue = ({ nextActionAt }: BookingState, at: Date) =>
  nextActionAt !== null && new Date(nextActionAt) <= at
