import { counted } from '../../base/counted.ts'
import { toLocal } from '../../base/local-time.ts'
import type { VenueBooking } from '../../confirmation/store/venue-bookings.ts'
import { dateWords } from '../site/venue-text.ts'

/** A local time, such as `Thu 24 Dec, 19:00`. */
export const localWords = (local: string): string =>
  `${dateWords(local.slice(0, 10))}, ${local.slice(11, 16)}`

/** The time and party size of a booking. */
export const titleWords = ({ slot_time, party_size }: VenueBooking): string =>
  `${localWords(slot_time)}, ${counted(party_size, 'guest')}`

/** The status of a booking, worded for the venue's staff. */
export function statusWords(booking: VenueBooking): string {
  const { status, timezone, answer_by, cancelled_by, offered_slot_time, reason_code } = booking
  const when = localWords(toLocal(timezone, booking.updated_at))
  const until = answer_by ? localWords(toLocal(timezone, answer_by)) : ''
  const offered = localWords(offered_slot_time ?? '')
  const who = cancelled_by === 'guest' || cancelled_by === 'agent' ? cancelled_by : 'network'
  const by = cancelled_by === 'venue' ? 'you' : `the ${who}`
  const words: { [name in typeof status]?: string } = {
    pending: `Waiting for your answer until ${until}`,
    offered: `You offered ${offered}; the agent that booked has until ${until}`,
    confirmed: 'Confirmed',
    completed: 'Completed',
    no_show: 'No-show',
    declined: reason_code === 'offer_refused' ? 'Your offer was refused' : `Declined on ${when}`,
    expired:
      reason_code === 'offer_expired'
        ? `Your offer was not answered in time; it expired on ${when}`
        : `Expired on ${when}: it was not answered in time`,
    cancelled: `Cancelled on ${when} by ${by}`,
  }
  return words[status] ?? status
}

/** Whether the guest is notified that the booking has ended, and what staff can do. */
export function guestWords({ end_mail, phone, email }: VenueBooking): string {
  if (end_mail === 'sent') return 'The guest was sent an email.'
  if (end_mail === 'due') return 'The guest’s email has not been sent yet. Reload to check.'
  const contact = phone ?? email
  return contact === null
    ? 'The network does not email this guest, and no phone number or email is known here.'
    : `The network does not email this guest. Tell them yourself: ${contact}.`
}

/** The outcome of the answer that staff have just given. */
export function outcomeWords(effect: string | null, booking: VenueBooking): string {
  const status = `${statusWords(booking)}.`
  const words: Record<string, string> = {
    confirm: 'Accepted. The booking is confirmed.',
    decline: `Declined. The agent that booked can see it. ${guestWords(booking)}`,
    offer: 'Offered. The other time is held until the agent that booked answers.',
    cancel: `Cancelled. The agent that booked can see it. ${guestWords(booking)}`,
    no_show: 'No-show recorded.',
    attended: 'Corrected: the guests came.',
    repeated: 'Already recorded.',
    slot_unavailable: 'That time is no longer free. Choose another.',
    expire: `Too late, nothing was booked. ${status}`,
    too_early: 'The booking has not started yet.',
    too_late: 'Too late: no-shows can be reported or corrected for 48 hours.',
    superseded: `Someone has answered differently since. ${status}`,
    other_revision: `The booking has changed since you opened it. ${status}`,
  }
  if (effect === null) return 'Accepted. Refresh in a moment.'
  return words[effect] ?? `Nothing was changed. ${status}`
}
