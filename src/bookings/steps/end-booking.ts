import { releaseInventory } from '../../availability/store/inventory.ts'
import { type RefusalData, refusalData } from '../../base/errors.ts'
import type { Alternative } from '../../contract/alternative.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { NewEvent } from '../../webhooks/schema/event-bodies.ts'
import type { HoldEnd, StepContext, StepWork } from '../hooks.ts'
import type { Decision } from '../rules/booking-messages.ts'
import { venueCancels } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import { type LockedBooking, type Move, updateBookingStatus } from '../store/bookings.ts'
import { answerBegunCommands } from '../store/commands.ts'
import { type Fee, publicFee, reverseFee } from '../store/fees.ts'
import { selectSpansOf } from '../store/freed-spans.ts'
import { uncountHold } from '../store/holds.ts'
import { clearNaturalKey, updateWaitingAnswers } from '../store/requests.ts'
import { recordSteps } from '../store/transitions.ts'

/** A move that ends a booking; `holdEnd` says how a hold ended if the status does not show it. */
type Ending = Move & { holdEnd?: HoldEnd }

/** Ends a booking: releases its inventory, allows an equal request, stops asking its venue. */
export const end: StepWork<Ending> = async (tx, from, ending, context) => {
  const { venue, hooks, at } = context
  const { holdEnd = from.status === 'held' ? 'lapsed' : 'refused', ...move } = ending
  const { id: booking_id } = from
  await venue.close(tx, from, move)
  await releaseInventory(tx, booking_id)
  const result = await updateBookingStatus(tx, from, move, at)
  await clearNaturalKey(tx, booking_id)
  const refusal = refusalData('already_final', `The booking is ${move.to}.`, { booking_id })
  await answerBegunCommands(tx, booking_id, { refusal })
  const booking = await selectBooking(tx, booking_id)
  if (from.hold_until) await hooks.onHoldEnded(tx, booking_id, holdEnd, at)
  const freed = await selectSpansOf(tx, booking_id, at)
  const steps = await hooks.onSlotFreed(tx, from, freed, at)
  await uncountHold(tx, from)
  await recordSteps(tx, from.account_id, steps)
  return { result, events: [{ type: `booking.${move.to}`, data: { booking } }] }
}

/** Ends a booking that was never confirmed, answering its request with the refusal. */
export const endRefused: StepWork<Ending & { refusal: RefusalData }, Decision> = async (
  tx,
  from,
  { refusal, ...ending },
  context,
) => {
  const answer = { refusal }
  await updateWaitingAnswers(tx, from.id, answer)
  const { result: state, events } = await end(tx, from, ending, context)
  return { result: { answer, state }, events }
}

/** Ends a booking and reverses its fee, if any. */
export const endWithoutFee: StepWork<Ending> = async (tx, from, ending, context) => {
  const fee = await reverseFee(tx, from.id, context.at)
  const { result, events } = await end(
    tx,
    from,
    { ...ending, ...(fee && { feeStatus: 'reversed' }) },
    context,
  )
  return { result, events: [...events, ...feeReversed(from, fee)] }
}

type VenueCancellation = Partial<Move> & { venueAnsweredAt: Date; alternatives: Alternative[] }

/**
 * Ends a confirmed booking that its venue cannot honour: reverses the fee, and lists alternatives
 * in the event.
 */
export const cancelByVenue: StepWork<VenueCancellation> = async (
  tx,
  from,
  { alternatives, ...move },
  context,
) => {
  const ending = {
    to: 'cancelled',
    cancelledBy: 'venue',
    reasonCode: 'venue_cancelled',
    venueSync: 'acknowledged',
    nextActionAt: null,
    ...venueCancels(),
    ...move,
  } as const
  const { result, events } = await endWithoutFee(tx, from, ending, context)
  return { result, events: withAlternatives(events, alternatives) }
}

/** The events with what could be booked instead of a cancelled booking. */
export const withAlternatives = (events: readonly NewEvent[], alternatives: Alternative[]) =>
  events.map(
    (event): NewEvent =>
      event.type === 'booking.cancelled'
        ? { ...event, data: { ...event.data, alternatives } }
        : event,
  )

/** The event of a reversed fee, if there was one. */
export const feeReversed = (from: LockedBooking, fee: Fee | undefined): NewEvent[] =>
  fee
    ? [
        {
          type: 'fee.reversed',
          data: { booking_id: from.id, ...publicFee(fee, from) },
        },
      ]
    : []

/** Ends a hold that was not confirmed in time. */
export function expireHold(tx: Db, booking: LockedBooking, context: StepContext) {
  const why = booking.hold_until
    ? 'The hold ended before it was confirmed.'
    : 'The slot began before the booking could be confirmed.'
  const refusal = refusalData('hold_expired', why, { booking_id: booking.id })
  const move = { to: 'expired', nextActionAt: null, reasonCode: 'hold_expired' } as const
  return endRefused(tx, booking, { ...move, by: 'network', why, refusal }, context)
}
