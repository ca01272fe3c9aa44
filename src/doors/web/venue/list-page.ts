import type { VenueBooking } from '../../../confirmation/store/venue-bookings.ts'
import type { PageVenue } from '../../../confirmation/store/venue-contacts.ts'
import { type Html, html } from '../html.ts'
import { localWords, statusWords } from './booking-text.ts'

/** What waits for the people at a venue, then what is to come, then what has been. */
export function venueList(
  venue: PageVenue,
  base: string,
  bookings: readonly VenueBooking[],
  at: Date,
): Html {
  const isWaiting = ({ status, confirm_mode }: VenueBooking) =>
    status === 'pending' && confirm_mode === 'request'
  const isToCome = (one: VenueBooking) =>
    !isWaiting(one) && ['pending', 'offered', 'confirmed'].includes(one.status) && one.ends_at > at
  const waiting = bookings.filter(isWaiting).toSorted(byDeadline)
  const rest = bookings.filter((one) => !isWaiting(one) && !isToCome(one)).toReversed()
  const list = (some: readonly VenueBooking[], none: string) =>
    some.length === 0
      ? html`<p class="quiet">${none}</p>`
      : html`<ul class="list">${some.map((one) => entry(base, one))}</ul>`
  return html`
<h1>${venue.name}</h1>
<p class="quiet">Times are those of ${venue.timezone}. This page refreshes every minute.</p>
<h2>Waiting for your answer</h2>
${list(waiting, 'Nothing to answer.')}
<h2>Upcoming</h2>
${list(bookings.filter(isToCome), 'Nothing yet.')}
<h2>Past and cancelled</h2>
${list(rest, 'Nothing in the last three days.')}`
}

const byDeadline = (a: VenueBooking, b: VenueBooking) =>
  (a.answer_by?.getTime() ?? 0) - (b.answer_by?.getTime() ?? 0)

const entry = (base: string, booking: VenueBooking) => html`
<li><a href="${base}/bookings/${booking.id}"><strong>${localWords(booking.slot_time)}</strong> · ${booking.party_size} · ${booking.name ?? 'no name given'}</a>
<p>${booking.reminded_at && booking.status === 'pending' ? html`<strong>Please answer.</strong> ` : ''}${statusWords(booking)}</p></li>`
