import type { VenueBooking } from '../../../confirmation/store/venue-bookings.ts'
import { toLocal, weekdayOf } from '../../../contract/rules/slot-time.ts'

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
      return 'Took place'
    case 'no_show':
      return 'Nobody came'
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
    confirm: 'Accepted: the guest has the place.',
    decline: 'Declined: the guest is told.',
    offer: 'The guest is offered the other time, which is kept meanwhile.',
    cancel: 'Cancelled: the guest is told.',
    no_show: 'Noted that nobody came.',
    attended: 'Corrected: the guests were there.',
    repeated: 'That was known already.',
    slot_unavailable: 'That time cannot be had any more: choose another one.',
    expire: `Too late, nothing was booked. ${stands}`,
    too_early: 'The booking has not begun yet.',
    too_late: 'Too late: this could be said for 48 hours.',
    superseded: `Somebody has answered otherwise since. ${stands}`,
    other_revision: `The booking has changed since you saw it. ${stands}`,
  }
  if (effect === null)
    return 'Your answer is written down and is being worked in: look again in a moment.'
  return said[effect] ?? `Nothing was changed. ${stands}`
}
