import { randomUUID } from 'node:crypto'
import type { BookingAtVenue } from '../../../confirmation/operations/venue-page.ts'
import { type DeclineReason, NO_SHOW_HOURS } from '../../../confirmation/rules/venue-responses.ts'
import type { VenueBooking } from '../../../confirmation/store/venue-bookings.ts'
import { type Html, html } from '../html.ts'
import { localWords, outcomeWords, statusWords } from './booking-text.ts'

const reasons: Record<DeclineReason, string> = {
  full: 'we are full then',
  closed: 'we are closed then',
  party_size: 'the party does not fit',
  short_notice: 'that is too soon',
  other: 'another reason',
}

/** One booking for the people at its venue: who comes, where it stands, and what they can say about it. */
export function venueBooking(
  base: string,
  { booking, times, effect }: BookingAtVenue,
  { isAnswered, at }: { isAnswered: boolean; at: Date },
): Html {
  return html`
<p><a href="${base}">All bookings</a></p>
<h1>${localWords(booking.slot_time)}, ${booking.party_size} ${booking.party_size === 1 ? 'guest' : 'guests'}</h1>
${isAnswered ? html`<p role="status"><strong>${outcomeWords(effect, booking)}</strong></p>` : ''}
<p>${statusWords(booking)}.</p>
<div class="scroll"><table>
${row('Name', booking.name)}${row('Phone', booking.phone)}${row('Email', booking.email)}${row('Notes', booking.notes)}
${row('Place', booking.offering)}${row('Until', localEnd(booking))}
</table></div>
${actions(`${base}/bookings/${booking.id}`, booking, times, at)}`
}

const row = (title: string, value: string | null) =>
  value === null ? html`` : html`<tr><th scope="row">${title}</th><td>${value}</td></tr>`

function localEnd({ slot_time, starts_at, ends_at }: VenueBooking): string {
  const minutes = Math.round((ends_at.getTime() - starts_at.getTime()) / 60_000)
  return `${minutes} minutes from ${slot_time.slice(11, 16)}`
}

function actions(action: string, booking: VenueBooking, times: readonly string[], at: Date): Html {
  const { status, confirm_mode } = booking
  const form = (said: string, button: string, more: Html = html``) => html`
<form method="post" action="${action}">
<input type="hidden" name="form" value="${randomUUID()}"><input type="hidden" name="revision" value="${booking.asked_revision}"><input type="hidden" name="said" value="${said}">
${more}<button>${button}</button></form>`
  if (status === 'pending' && confirm_mode === 'request') {
    return html`<h2>Your answer</h2>${form('confirmed', 'Accept')}${offerForm(form, times)}${form('declined', 'Decline', reasonChoice)}`
  }
  if (status === 'offered') {
    return html`<h2>Changed your mind?</h2>${form('declined', 'Withdraw the offer and decline')}`
  }
  if (status === 'confirmed' && booking.starts_at > at) {
    return confirm_mode === 'http'
      ? html``
      : html`<h2>Can’t honour it?</h2>${form('cancelled', 'Cancel this booking')}`
  }
  if (status === 'no_show' && isWithin(booking.answered_at ?? booking.ends_at, at)) {
    return html`<h2>Made a mistake?</h2>${form('attended', 'The guests came')}`
  }
  const isOver = status === 'confirmed' || status === 'completed'
  return isOver && isWithin(booking.ends_at, at)
    ? html`<h2>No-show?</h2>${form('no_show', 'Report a no-show')}`
    : html``
}

const isWithin = (since: Date, at: Date) =>
  at.getTime() - since.getTime() <= NO_SHOW_HOURS * 3_600_000

const reasonChoice = html`<label>Because <select name="reason">${Object.entries(reasons).map(
  ([value, text]) => html`<option value="${value}">${text}</option>`,
)}</select></label> `

const offerForm = (
  form: (said: string, button: string, more?: Html) => Html,
  times: readonly string[],
) =>
  times.length === 0
    ? html``
    : form(
        'offered',
        'Offer another time',
        html`<label>Instead <select name="slot_time">${times.map(
          (time) => html`<option value="${time}">${localWords(time)}</option>`,
        )}</select></label> `,
      )
