import { releaseInventory } from '../../availability/store/inventory.ts'
import { type RefusalData, refusalData } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { HoldEnd, StepContext, StepDeps } from '../hooks.ts'
import type { BookingState, Decision } from '../rules/booking-messages.ts'
import type { Fee } from '../rules/fees.ts'
import { reasons } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import { type LockedBooking, type Move, updateBookingStatus } from '../store/bookings.ts'
import { answerBegunCommands } from '../store/commands.ts'
import { reverseFee } from '../store/fees.ts'
import { selectSpansOf } from '../store/freed-spans.ts'
import { uncountHold } from '../store/holds.ts'
import { clearNaturalKey, updateWaitingAnswers } from '../store/requests.ts'
import { type Done, type NewEvent, recordSteps } from '../store/transitions.ts'

/** A move that ends a booking; `holdEnd` when its status does not tell how a hold ended. */
export type Ending = Move & { holdEnd?: HoldEnd }

/**
 * Ends a booking: releases its inventory, allows an equal request and stops asking its venue. Part
 * of a step's transaction.
 */
export async function end(
  tx: Db,
  from: LockedBooking,
  { holdEnd = from.status === 'held' ? 'lapsed' : 'refused', ...move }: Ending,
  { venue, hooks }: StepDeps,
): Promise<Done<BookingState>> {
  await venue.close(tx, from, move)
  await releaseInventory(tx, from.id)
  const state = await updateBookingStatus(tx, from, move)
  await clearNaturalKey(tx, from.id)
  const refusal = refusalData('already_final', `The booking is ${move.to}.`, {
    booking_id: from.id,
  })
  await answerBegunCommands(tx, from.id, { refusal })
  const booking = await selectBooking(tx, from.id)
  if (from.hold_until) await hooks.onHoldEnded(tx, from.id, holdEnd, move.at)
  const steps = await hooks.onSlotFreed(
    tx,
    from,
    await selectSpansOf(tx, from.id, move.at),
    move.at,
  )
  await uncountHold(tx, from)
  await recordSteps(tx, from.account_id, steps)
  return { result: state, events: [{ type: `booking.${move.to}`, data: { booking } }] }
}

/** Ends a booking that was never confirmed; the refusal answers its request. */
export async function endRefused(
  tx: Db,
  from: LockedBooking,
  move: Ending,
  refusal: RefusalData,
  deps: StepDeps,
): Promise<Done<Decision>> {
  const answer = { refusal }
  await updateWaitingAnswers(tx, from.id, answer)
  const { result: state, events } = await end(tx, from, move, deps)
  return { result: { answer, state }, events }
}

/** Ends a confirmed booking that its venue cannot honour: the fee is reversed. */
export async function cancelByVenue(
  tx: Db,
  from: LockedBooking,
  venueAnsweredAt: Date,
  deps: StepContext,
): Promise<Done<BookingState>> {
  const move = {
    to: 'cancelled',
    cancelledBy: 'venue',
    reasonCode: 'venue_cancelled',
    venueSync: 'acknowledged',
    venueAnsweredAt,
    nextActionAt: null,
    ...reasons.venueCancels,
    at: deps.at,
  } as const
  return endWithoutFee(tx, from, move, deps)
}

/** Ends a booking and reverses its fee, if it has one. */
export async function endWithoutFee(
  tx: Db,
  from: LockedBooking,
  move: Ending,
  deps: StepDeps,
): Promise<Done<BookingState>> {
  const fee = await reverseFee(tx, from.id, move.at)
  const ending: Ending = { ...move, ...(fee && { feeStatus: 'reversed' }) }
  const { result, events } = await end(tx, from, ending, deps)
  return { result, events: [...events, ...feeReversed(from, fee)] }
}

/** The event of a reversed fee, if there was one. */
export const feeReversed = (from: LockedBooking, fee: Fee | undefined): NewEvent[] =>
  fee
    ? [{ type: 'fee.reversed', data: { booking_id: from.id, ...fee, is_demo: from.is_demo } }]
    : []

/** Ends a hold that was not confirmed in time. */
export function expireHold(
  tx: Db,
  held: LockedBooking,
  { at, ...deps }: StepContext,
): Promise<Done<Decision>> {
  const what = held.hold_until
    ? 'The hold ended before it was confirmed.'
    : 'The slot began before the booking could be confirmed.'
  const refusal = refusalData('hold_expired', what, { booking_id: held.id })
  const reason = { by: 'network', why: what } as const
  const done = { to: 'expired', nextActionAt: null, reasonCode: 'hold_expired', at } as const
  return endRefused(tx, held, { ...done, ...reason }, refusal, deps)
}
