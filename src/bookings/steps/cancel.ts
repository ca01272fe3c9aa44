import { type CancelledBy, cancellers } from '../../contract/rules/booking-status.ts'
import { refusalData } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { RunCommand } from '../hooks.ts'
import { cancellationOf } from '../rules/cancellation.ts'
import type { TimelineReason } from '../rules/timeline.ts'
import { agentCancels, reasons } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import type { LockedBooking, Move } from '../store/bookings.ts'
import { updateWaitingAnswers } from '../store/requests.ts'
import { end, endWithoutFee } from './end-booking.ts'
import { refused } from './refused.ts'

const over: readonly string[] = ['cancelled', 'released', 'expired', 'declined', 'failed']

/**
 * Cancels a booking for the guest, the agent or the network; the fee follows rules/cancellation.ts.
 * A booking that is over is answered as it is.
 */
export const cancel: RunCommand = async (tx, booking, { input, given_at }, { at, ...deps }) => {
  const { status } = booking
  if (over.includes(status)) {
    const current = await selectBooking(tx, booking.id)
    return { answer: { booking: current, cancellation: cancellationOf(current, at) }, events: [] }
  }
  if (status === 'completed' || status === 'no_show') return refused('already_final', booking)
  const by = cancellers.find((one) => one === input.by) ?? 'agent'
  const asked = given_at < at ? given_at : at
  const cancellation = cancellationOf(await selectBooking(tx, booking.id), asked, by)
  await refuseWaiting(tx, booking)
  const isKept = cancellation.fee === 'kept'
  const reason =
    by === 'network' || by === 'venue'
      ? reasons.itineraryFails
      : agentCancels(by, isKept ? booking.cancel_until : undefined)
  const move = { ...moveOf(booking, by, at), ...reason, holdEnd: 'cancelled' } as const
  const { events } = await (isKept ? end : endWithoutFee)(tx, booking, move, deps)
  const cancelled = await selectBooking(tx, booking.id)
  return { answer: { booking: cancelled, cancellation }, events }
}

/** A venue that may know of the booking is told. A hold is released rather than cancelled. */
function moveOf(
  booking: LockedBooking,
  by: CancelledBy,
  at: Date,
): Omit<Move, keyof TimelineReason> {
  if (booking.status === 'held') {
    return { to: 'released', reasonCode: 'released', nextActionAt: null, at }
  }
  const isTold = booking.confirm_mode === 'http' && booking.venue_sync !== 'not_sent'
  return {
    to: 'cancelled',
    cancelledBy: by,
    reasonCode: `cancelled_by_${by}`,
    nextActionAt: isTold ? at : null,
    ...(isTold && { venueSync: 'withdraw_due' }),
    at,
  }
}

/** Callers that still wait for the venue's answer are refused. */
const refuseWaiting = (tx: Db, { id }: LockedBooking) =>
  updateWaitingAnswers(tx, id, {
    refusal: refusalData('booking_cancelled', undefined, { booking_id: id }),
  })
