import type { BookingStart, BookingState } from '../src/model/booking-messages.ts'
import { selectBooking } from '../src/store/booking-view.ts'
import {
  selectBookingForUpdate,
  selectOptionalBookingState,
  updateBookingStatus,
} from '../src/store/bookings.ts'
import { releaseInventory } from '../src/store/inventory.ts'
import { clearNaturalKey } from '../src/store/requests.ts'
import type { Pool } from '../src/store/sql.ts'
import { stepOnce } from '../src/store/transitions.ts'

/** Completes a confirmed booking whose time has come; otherwise changes nothing. Answers where the booking stands now. */
export async function completeBooking(
  db: Pool,
  { accountId, bookingId: id }: Pick<BookingStart, 'accountId' | 'bookingId'>,
  at: Date,
): Promise<BookingState> {
  const state = await selectOptionalBookingState(db, id)
  if (!state) throw new Error(`booking ${id} does not exist`)
  if (state.status !== 'confirmed' || !isDue(state, at)) return state
  return stepOnce(db, { accountId, bookingId: id, transitionId: 'complete', at }, async (tx) => {
    const confirmed = await selectBookingForUpdate(tx, id)
    const move = { to: 'completed', nextActionAt: null, at } as const
    const completed = await updateBookingStatus(tx, confirmed, move)
    await releaseInventory(tx, id)
    await clearNaturalKey(tx, id)
    const booking = await selectBooking(tx, id)
    return { result: completed, events: [{ type: 'booking.completed', data: { booking } }] }
  })
}

const isDue = ({ nextActionAt }: BookingState, at: Date) =>
  nextActionAt !== null && new Date(nextActionAt) <= at
