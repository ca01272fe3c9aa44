import { selectAlternatives } from '../../availability/store/alternatives.ts'
import { type CancelledBy, cancellers } from '../../base/booking-status.ts'
import { refusalData } from '../../base/errors.ts'
import type { RunCommand } from '../hooks.ts'
import { cancellationOf } from '../rules/cancellation.ts'
import { evaluatedAt } from '../rules/in-time.ts'
import { agentCancels, operatorCancels, reasons } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import type { LockedBooking } from '../store/bookings.ts'
import { updateWaitingAnswers } from '../store/requests.ts'
import { end, endWithoutFee, withAlternatives } from './end-booking.ts'
import { refused } from './refused.ts'

const over: readonly string[] = ['cancelled', 'released', 'expired', 'declined', 'failed']

/**
 * Cancels a booking for any party; rules/cancellation.ts determines the fee. A booking that is
 * already over is returned unchanged.
 */
export const cancel: RunCommand = async (tx, booking, command, context) => {
  const { input } = command
  const { at } = context
  const { id, status } = booking
  if (over.includes(status)) {
    const current = await selectBooking(tx, id)
    return { answer: { booking: current, cancellation: cancellationOf(current, at) }, events: [] }
  }
  if (status === 'completed' || status === 'no_show') return refused('already_final', booking)
  const by = cancellers.find((one) => one === input.by) ?? 'agent'
  const askedAt = evaluatedAt(command, at)
  const isKept = cancellationOf(await selectBooking(tx, id), askedAt, by).fee === 'kept'
  // Refuses the callers still waiting for the venue's answer.
  const refusal = refusalData('booking_cancelled', undefined, { booking_id: id })
  await updateWaitingAnswers(tx, id, { refusal })
  const reason =
    by === 'operator'
      ? operatorCancels(String(input.reason))
      : by === 'network' || by === 'venue'
        ? reasons.itineraryFails
        : agentCancels(by, {
            feeStaysSince: isKept ? booking.cancel_until : undefined,
            timezone: booking.timezone,
            isOnPage: input.page === true,
          })
  const ending = { ...moveOf(booking, by, at), ...reason, holdEnd: 'cancelled' } as const
  const { events } = await (isKept ? end : endWithoutFee)(tx, booking, ending, context)
  const cancelled = await selectBooking(tx, id)
  const cancellation = cancellationOf(cancelled, askedAt, by)
  const answer = { booking: cancelled, cancellation }
  if (by !== 'operator') return { answer, events }
  const { slot_time: slotTime, party_size: partySize, venue_id } = booking
  const query = { slotTime, partySize, at, limit: 5, wish: { serviceId: booking.service_id } }
  const alternatives = await selectAlternatives(tx, venue_id, query)
  return { answer, events: withAlternatives(events, alternatives) }
}

/** Releases a hold, or cancels a booking and withdraws it from a venue that may know of it. */
function moveOf(booking: LockedBooking, by: CancelledBy, at: Date) {
  if (booking.status === 'held') {
    return { to: 'released', reasonCode: 'released', nextActionAt: null } as const
  }
  const isTold = booking.confirm_mode === 'http' && booking.venue_sync !== 'not_sent'
  const withdrawal = isTold
    ? ({ nextActionAt: at, venueSync: 'withdraw_due' } as const)
    : { nextActionAt: null }
  return {
    to: 'cancelled',
    cancelledBy: by,
    reasonCode: `cancelled_by_${by}`,
    ...withdrawal,
  } as const
}
