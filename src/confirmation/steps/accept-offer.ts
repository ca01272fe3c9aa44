import type { RunCommand } from '../../bookings/hooks.ts'
import { agentAcceptsOffer } from '../../bookings/rules/timeline-reasons.ts'
import { confirm } from '../../bookings/steps/confirm-booking.ts'
import { refused } from '../../bookings/steps/refused.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { selectBookingForUpdate } from '../../bookings/store/bookings.ts'
import { guestKeptUntil, updateErasure } from '../../bookings/store/guests.ts'
import { clearNaturalKey } from '../../bookings/store/requests.ts'
import { setNoticeDue } from '../store/venue-notices.ts'
import { takeVenueOffer } from '../store/venue-offers.ts'

/** Books the time that the venue offered; what is confirmed already is answered as it stands. */
export const acceptOffer: RunCommand = async (tx, booking, _, context) => {
  const { at } = context
  const { id, status } = booking
  if (status === 'confirmed')
    return { answer: { booking: await selectBooking(tx, id) }, events: [] }
  if (status === 'expired') return refused('offer_expired', booking)
  if (status !== 'offered') return refused('no_offer', booking)
  await takeVenueOffer(tx, id)
  await clearNaturalKey(tx, id)
  await setNoticeDue(tx, id, 'booking.changed')
  const moved = await selectBookingForUpdate(tx, id)
  await updateErasure(tx, id, guestKeptUntil(moved.starts_at))
  const reason = agentAcceptsOffer(moved.slot_time)
  const change = { venueSync: 'acknowledged', ...reason, at } as const
  const { result, events } = await confirm(tx, moved, context, change)
  return { answer: result.answer, events }
}
