import { lockCounters, releaseInventory } from '../../availability/store/inventory.ts'
import { deleteChange } from '../../confirmation/store/open-changes.ts'
import { noteNotice } from '../../confirmation/store/venue-notices.ts'
import { type RefusalData, refusalData } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { handOn } from '../../waitlist/steps/hand-on.ts'
import type { BookingState, Decision } from '../rules/booking-messages.ts'
import type { Fee } from '../rules/fees.ts'
import { because } from '../rules/timeline-words.ts'
import { selectBooking } from '../store/booking-view.ts'
import { type LockedBooking, type Move, updateBookingStatus } from '../store/bookings.ts'
import { answerBegunCommands } from '../store/commands.ts'
import { reverseFee } from '../store/fees.ts'
import { clearNaturalKey, updateWaitingAnswers } from '../store/requests.ts'
import type { Done, NewEvent } from '../store/transitions.ts'

/**
 * Ends a booking: its inventory is free, what was kept for a change of it too, an equal request may make another, and nobody waits
 * for its venue any more. Part of a step's transaction.
 */
export async function end(tx: Db, from: LockedBooking, move: Move): Promise<Done<BookingState>> {
  if (from.confirm_mode === 'request' && from.status !== 'held' && !isOfVenue(move)) {
    await noteNotice(tx, from.id, 'booking.changed')
  }
  if (from.change_phase === 'asked') {
    await lockCounters(tx, from.id)
    await deleteChange(tx, from.id)
  }
  await releaseInventory(tx, from.id)
  const state = await updateBookingStatus(tx, from, move)
  await clearNaturalKey(tx, from.id)
  const refusal = refusalData('already_final', `The booking is ${move.to}.`, {
    booking_id: from.id,
  })
  await answerBegunCommands(tx, from.id, { refusal })
  const booking = await selectBooking(tx, from.id)
  await handOn(tx, from, move.at)
  return { result: state, events: [{ type: `booking.${move.to}`, data: { booking } }] }
}

/** What the venue has decided itself is no news to it. */
const isOfVenue = ({ cancelledBy, venueAnsweredAt }: Move) =>
  cancelledBy === 'venue' || venueAnsweredAt !== undefined

/** Ends a booking that was never confirmed; the refusal is the answer to its request. */
export async function endRefused(
  tx: Db,
  from: LockedBooking,
  move: Move,
  refusal: RefusalData,
): Promise<Done<Decision>> {
  const answer = { refusal }
  await updateWaitingAnswers(tx, from.id, answer)
  const { result: state, events } = await end(tx, from, move)
  return { result: { answer, state }, events }
}

/** Ends a confirmed booking that its venue can no longer honour: the fee is taken back. */
export async function cancelByVenue(
  tx: Db,
  from: LockedBooking,
  answeredAt: Date,
  at: Date,
): Promise<Done<BookingState>> {
  return endWithoutFee(tx, from, {
    to: 'cancelled',
    cancelledBy: 'venue',
    reasonCode: 'venue_cancelled',
    venueSync: 'acknowledged',
    venueAnsweredAt: answeredAt,
    nextActionAt: null,
    ...because.venueCancels,
    at,
  })
}

/** Ends a booking whose fee, if it has one, is taken back. */
export async function endWithoutFee(
  tx: Db,
  from: LockedBooking,
  move: Move,
): Promise<Done<BookingState>> {
  const fee = await reverseFee(tx, from.id, move.at)
  const { result, events } = await end(tx, from, { ...move, ...(fee && { feeStatus: 'reversed' }) })
  return { result, events: [...events, ...feeReversed(from, fee)] }
}

/** The event of a fee that was taken back, if there was one. */
export const feeReversed = (from: LockedBooking, fee: Fee | undefined): NewEvent[] =>
  fee
    ? [{ type: 'fee.reversed', data: { booking_id: from.id, ...fee, is_demo: from.is_demo } }]
    : []

/** Ends a hold that nobody confirmed in time. */
export function expireHold(tx: Db, held: LockedBooking, at: Date): Promise<Done<Decision>> {
  const what = held.hold_until
    ? 'The hold ended before it was confirmed.'
    : 'The slot began before the booking could be confirmed.'
  const refusal = refusalData('hold_expired', what, { booking_id: held.id })
  const told = { by: 'network', why: what } as const
  const done = { to: 'expired', nextActionAt: null, reasonCode: 'hold_expired', at } as const
  return endRefused(tx, held, { ...done, ...told }, refusal)
}
