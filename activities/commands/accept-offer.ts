import { agentAcceptsOffer } from '../../src/model/timeline-words.ts'
import { selectBooking } from '../../src/store/booking-view.ts'
import { selectBookingForUpdate } from '../../src/store/bookings.ts'
import { guestKeptUntil, moveErasure } from '../../src/store/guests.ts'
import { clearNaturalKey } from '../../src/store/requests.ts'
import { noteNotice } from '../../src/store/venue-notices.ts'
import { takeVenueOffer } from '../../src/store/venue-offers.ts'
import { confirm } from '../confirm-booking.ts'
import { type RunCommand, refused } from './define.ts'

/** Books the time that the venue offered; what is confirmed already is answered as it stands. */
export const acceptOffer: RunCommand = async (tx, booking, _, { terms, at }) => {
  const { id, status } = booking
  if (status === 'confirmed')
    return { answer: { booking: await selectBooking(tx, id) }, events: [] }
  if (status === 'expired') return refused('offer_expired', booking)
  if (status !== 'offered') return refused('no_offer', booking)
  await takeVenueOffer(tx, id)
  await clearNaturalKey(tx, id)
  await noteNotice(tx, id, 'booking.changed')
  const moved = await selectBookingForUpdate(tx, id)
  await moveErasure(tx, id, guestKeptUntil(moved.starts_at))
  const told = agentAcceptsOffer(moved.slot_time)
  const change = { venueSync: 'acknowledged', ...told, at } as const
  const { result, events } = await confirm(tx, moved, terms, change)
  return { answer: result.answer, events }
}
