import type { RunCommand } from '../../bookings/hooks.ts'
import { reasons } from '../../bookings/rules/timeline-reasons.ts'
import { endRefused } from '../../bookings/steps/end-booking.ts'
import { refused } from '../../bookings/steps/refused.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { refusalData } from '../../contract/rules/errors.ts'

/** Ends a booking whose venue could not take it at the time that was asked for, and whose offer does not suit. */
export const refuseOffer: RunCommand = async (tx, booking, _, { at, ...deps }) => {
  const { id, status } = booking
  if (status === 'declined') return { answer: { booking: await selectBooking(tx, id) }, events: [] }
  if (status === 'expired') return refused('offer_expired', booking)
  if (status !== 'offered') return refused('no_offer', booking)
  const reason = reasons.agentRefusesOffer
  const ending = { to: 'declined', reasonCode: 'offer_refused', nextActionAt: null } as const
  const move = { ...ending, ...reason, at }
  const what = 'The venue offered another time, and that was refused.'
  const refusal = refusalData('venue_declined', what, { booking_id: id })
  const { events } = await endRefused(tx, booking, move, refusal, deps)
  return { answer: { booking: await selectBooking(tx, id) }, events }
}
