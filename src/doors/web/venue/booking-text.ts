import type { VenueBooking } from '../../../confirmation/store/venue-bookings.ts'
import { toLocal, weekdayOf } from '../../../contract/rules/local-time.ts'

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A local time as people say it: `Thu 24 Dec, 19:00`. */
export function localWords(local: string): string {
  const day = days[weekdayOf(local.slice(0, 10)) - 1]
  const month = months[Number(local.slice(5, 7)) - 1]
  return `${day} ${Number(local.slice(8, 10))} ${month}, ${local.slice(11, 16)}`
}

/** An instant in the venue's own time. */
const instantWords = (timezone: string, at: Date): string => localWords(toLocal(timezone, at))

/** Where a booking stands, for the people at its venue. */
export function statusWords(booking: VenueBooking): string {
  const { status, timezone, answer_by, updated_at, cancelled_by, reason_code } = booking
  const when = instantWords(timezone, updated_at)
  const until = answer_by ? instantWords(timezone, answer_by) : ''
  switch (status) {
    case 'pending':
      return `Waiting for your answer until ${until}`
    case 'offered':
      return `You offered ${localWords(booking.offered_slot_time ?? '')}; the guest has until ${until}`
    case 'confirmed':
      return 'Confirmed'
    case 'completed':
      return 'Completed'
    case 'no_show':
      return 'No-show'
    case 'declined':
      return reason_code === 'offer_refused' ? 'Your offer was refused' : `Declined on ${when}`
    case 'expired':
      return reason_code === 'offer_expired'
        ? `Your offer was not answered in time; it expired on ${when}`
        : `Expired on ${when}: it was not answered in time`
    case 'cancelled':
      return `Cancelled on ${when} by ${cancelled_by === 'venue' ? 'you' : `the ${cancelled_by ?? 'network'}`}`
    default:
      return status
  }
}

/** What the answer that was just given has led to. */
export function outcomeWords(effect: string | null, booking: VenueBooking): string {
  const stands = `${statusWords(booking)}.`
  const said: Record<string, string> = {
    confirm: 'Accepted. The booking is confirmed.',
    decline: 'Declined. The guest is notified.',
    offer: 'Offered. The other time is held for the guest.',
    cancel: 'Cancelled. The guest is notified.',
    no_show: 'No-show recorded.',
    attended: 'Corrected: the guests came.',
    repeated: 'Already recorded.',
    slot_unavailable: 'That time is no longer free. Choose another.',
    expire: `Too late, nothing was booked. ${stands}`,
    too_early: 'The booking has not started yet.',
    too_late: 'Too late: no-shows can be reported or corrected for 48 hours.',
    superseded: `Someone has answered differently since. ${stands}`,
    other_revision: `The booking has changed since you opened it. ${stands}`,
  }
  if (effect === null) return 'Accepted. Refresh in a moment.'
  return said[effect] ?? `Nothing was changed. ${stands}`
}
