import { toLocal } from '../../../base/local-time.ts'
import { money } from '../../../base/money.ts'
import { serviceWords } from '../../../bookings/rules/service-words.ts'
import type { Booking, OwnBooking } from '../../../contract/public.ts'
import * as ui from '../../page/components.ts'
import { withQuery } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { localText } from '../../page/times.ts'
import { spanWords } from '../../site/venue-text.ts'

/** The amount of the fee, with its status. */
export const feeWords = ({ status, amount_minor, currency }: Booking['fee']): string =>
  money(amount_minor, currency) +
  (status === 'accrued' ? '' : `, ${status === 'not_charged' ? 'not charged: demo' : status}`)

/** Who confirms a venue's bookings, in words. */
export const confirmers = {
  auto: 'the network',
  http: 'the venue’s own system',
  request: 'a person at the venue',
}

/** `24 Nov 2026, 19:00 to 21:00, at the venue (Asia/Makassar)`. */
function spanText({ slot_time, ends_at, timezone }: Booking): string {
  const end = ends_at && localText(toLocal(timezone, new Date(ends_at)))
  const isSameDay = end?.slice(0, -7) === localText(slot_time).slice(0, -7)
  const until = end ? ` to ${isSameDay ? end.slice(-5) : end}` : ''
  return `${localText(slot_time)}${until}, at the venue (${timezone})`
}

function whereHtml({ place: { address, directions_url } }: OwnBooking): Html {
  const parts = [address?.street, address?.locality, address?.postcode].filter(Boolean)
  const street = parts.length > 0 && `${parts.join(', ')} · `
  return html`${street}${ui.link(directions_url, 'Directions')}`
}

/** The list of the bookings that an assistant or agent of this name made. */
export const bookingsBy = (name: string): string =>
  withQuery('/dashboard/bookings', { booked_by: name })

/** The facts on a booking's page. */
export function bookingFacts(booking: OwnBooking, booker: string | undefined): Html {
  const { fee, offer, change, reminders, venue, place, service, party_size, deposit } = booking
  const price = service?.price?.total
  const ifAny = (at: string | null) => at && ui.exactly(at)
  return ui.facts([
    ['Booking', ui.copyable(booking.id)],
    ['Venue', ui.link(`/venues/${venue.slug}`, venue.name)],
    ['Service', serviceWords(booking)],
    ['Price', price ? `${price}, paid to the venue` : null],
    ['Where', whereHtml(booking)],
    ['Phone', place.phone],
    ['Guests', party_size],
    ['Your reference', booking.guest_ref && html`<code>${booking.guest_ref}</code>`],
    ['Guest agreed to mails', booking.guest_mails ? 'yes' : 'no'],
    ['Slot', spanText(booking)],
    ['Starts', ui.when(booking.starts_at)],
    ['Confirmed by', confirmers[booking.confirm_mode]],
    ['Fee', fee.status === 'none' ? 'none' : `${feeWords(fee)} (${fee.pct} %)`],
    [
      deposit?.kind === 'guarantee' ? 'Guarantee' : 'Deposit',
      deposit && `${deposit.text}, which the guest pays to the venue`,
    ],
    ['Held until', ifAny(booking.hold_until)],
    ['Answer due', ifAny(booking.answer_by)],
    ['Free to cancel until', ifAny(booking.cancel_until)],
    ['Cancelled by', booking.cancelled_by],
    ['Reason', booking.reason ?? null],
    ['Venue’s offer', offer && localText(offer.slot_time)],
    ['Requested change', change && `${localText(change.slot_time)} for ${change.party_size}`],
    ['Reminders', reminders.map((one) => `${spanWords(one)} before`).join(', ') || 'none'],
    ['Group', booking.group_id && ui.copyable(booking.group_id)],
    ['Revision', booking.revision],
    ['Booked', ui.when(booking.created_at)],
    ['Booked by', booker ? html`${ui.link(bookingsBy(booker), booker)}, for you` : null],
  ])
}
