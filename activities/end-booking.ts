import type { BookingState, Decision } from '../src/model/booking-messages.ts'
import type { RefusalData } from '../src/model/errors.ts'
import { because } from '../src/model/timeline-words.ts'
import { selectBooking } from '../src/store/booking-view.ts'
import { type LockedBooking, type Move, updateBookingStatus } from '../src/store/bookings.ts'
import { reverseFee } from '../src/store/fees.ts'
import { releaseInventory } from '../src/store/inventory.ts'
import { clearNaturalKey, updateRequestAnswer } from '../src/store/requests.ts'
import type { Db } from '../src/store/sql.ts'
import type { Done } from '../src/store/transitions.ts'

/** Ends a booking: its inventory is free, and an equal request may make another. Part of a step's transaction. */
export async function end(tx: Db, from: LockedBooking, move: Move): Promise<Done<BookingState>> {
  const state = await updateBookingStatus(tx, from, move)
  await releaseInventory(tx, from.id)
  await clearNaturalKey(tx, from.id)
  const booking = await selectBooking(tx, from.id)
  return { result: state, events: [{ type: `booking.${move.to}`, data: { booking } }] }
}

/** Ends a booking that was never confirmed; the refusal is the answer to its request. */
export async function endRefused(
  tx: Db,
  from: LockedBooking,
  move: Move,
  refusal: RefusalData,
): Promise<Done<Decision>> {
  const { result: state, events } = await end(tx, from, move)
  const answer = { refusal }
  await updateRequestAnswer(tx, from.id, answer)
  return { result: { answer, state }, events }
}

/** Ends a confirmed booking that its venue can no longer honour: the fee is taken back. */
export async function cancelByVenue(
  tx: Db,
  from: LockedBooking,
  answeredAt: Date,
  at: Date,
): Promise<Done<BookingState>> {
  const fee = await reverseFee(tx, from.id, at)
  const { result, events } = await end(tx, from, {
    to: 'cancelled',
    cancelledBy: 'venue',
    reasonCode: 'venue_cancelled',
    feeStatus: 'reversed',
    venueSync: 'acknowledged',
    venueAnsweredAt: answeredAt,
    nextActionAt: null,
    ...because.venueCancels,
    at,
  })
  const data = { booking_id: from.id, ...fee, is_demo: from.is_demo }
  return { result, events: [...events, ...(fee ? [{ type: 'fee.reversed', data }] : [])] }
}
