import type { BookingState } from '../src/model/booking-messages.ts'
import { selectBooking } from '../src/store/booking-view.ts'
import {
  selectBookingForUpdate,
  selectOptionalBookingState,
  updateBookingStatus,
} from '../src/store/bookings.ts'
import { insertEvents } from '../src/store/events.ts'
import { releaseInventory } from '../src/store/inventory.ts'
import { clearNaturalKey } from '../src/store/requests.ts'
import type { Pool } from '../src/store/sql.ts'
import { stepOnce } from '../src/store/transitions.ts'

/** Completes a confirmed booking whose time has come; otherwise changes nothing. Answers where the booking stands now. */
export async function completeBooking(db: Pool, id: string, at: Date): Promise<BookingState> {
  const state = await selectOptionalBookingState(db, id)
  if (!state) throw new Error(`booking ${id} does not exist`)
  if (state.status !== 'confirmed' || !isDue(state, at)) return state
  return stepOnce(db, { bookingId: id, transitionId: 'complete', at }, async (tx) => {
    const confirmed = await selectBookingForUpdate(tx, id)
    const completed = await updateBookingStatus(tx, confirmed, {
      to: 'completed',
      nextActionAt: null,
      at,
    })
    await releaseInventory(tx, id)
    await clearNaturalKey(tx, id)
    const booking = await selectBooking(tx, id)
    const cause = { accountId: confirmed.account_id, bookingId: id, transitionId: 'complete', at }
    await insertEvents(tx, cause, [{ type: 'booking.completed', data: { booking } }])
    return completed
  })
}

const isDue = ({ nextActionAt }: BookingState, at: Date) =>
  nextActionAt !== null && new Date(nextActionAt) <= at
