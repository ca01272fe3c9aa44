import { refusalData } from '../../base/errors.ts'
import type { RunCommand } from '../../bookings/hooks.ts'
import { evaluatedAt } from '../../bookings/rules/in-time.ts'
import { offerIsAccepted, reasons } from '../../bookings/rules/timeline-reasons.ts'
import { confirm } from '../../bookings/steps/confirm.ts'
import { endRefused } from '../../bookings/steps/end-booking.ts'
import { refused } from '../../bookings/steps/refused.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { selectBookingForUpdate } from '../../bookings/store/bookings.ts'
import { guestKeptUntil, updateErasure } from '../../bookings/store/guests.ts'
import { clearNaturalKey } from '../../bookings/store/requests.ts'
import { setNoticeDue } from '../store/venue-notices.ts'
import { isAtOfferedTime, takeVenueOffer } from '../store/venue-offers.ts'

/**
 * Books the time offered by the venue, if this was requested by the deadline and that time has not
 * begun. A booking that was confirmed in this way is returned unchanged.
 */
export const acceptOffer: RunCommand = async (tx, booking, command, context) => {
  const { id, status, answer_by } = booking
  if (status === 'confirmed' && (await isAtOfferedTime(tx, id))) {
    return { answer: { booking: await selectBooking(tx, id) }, events: [] }
  }
  if (status === 'expired') return refused('offer_expired', { id, status })
  if (status !== 'offered') return refused('no_offer', { id, status })
  const { at } = context
  const isLate = answer_by === null || answer_by <= evaluatedAt(command, at)
  if (isLate || !(await takeVenueOffer(tx, id, at))) return refused('offer_expired', booking)
  await clearNaturalKey(tx, id)
  await setNoticeDue(tx, id, 'booking.changed')
  const rescheduled = await selectBookingForUpdate(tx, id)
  await updateErasure(tx, id, guestKeptUntil(rescheduled.starts_at))
  const who = command.input.page === true ? 'guest' : 'agent'
  const change = {
    venueSync: 'acknowledged',
    ...offerIsAccepted(rescheduled.slot_time, who),
  } as const
  const { result, events } = await confirm(tx, rescheduled, change, context)
  return { answer: result.answer, events }
}

/** Ends a booking because the time proposed by its venue does not suit the agent. */
export const refuseOffer: RunCommand = async (tx, booking, { input }, context) => {
  const { id, status } = booking
  const before = status === 'declined' ? await selectBooking(tx, id) : undefined
  if (before?.reason_code === 'offer_refused') return { answer: { booking: before }, events: [] }
  if (status === 'expired') return refused('offer_expired', booking)
  if (status !== 'offered') return refused('no_offer', booking)
  const what = 'The venue offered another time, and that was refused.'
  const refusal = refusalData('venue_declined', what, { booking_id: id })
  const move = { to: 'declined', reasonCode: 'offer_refused', nextActionAt: null } as const
  const ending = {
    ...move,
    ...reasons[input.page === true ? 'guestRefusesOffer' : 'agentRefusesOffer'],
    refusal,
  }
  const { events } = await endRefused(tx, booking, ending, context)
  return { answer: { booking: await selectBooking(tx, id) }, events }
}
