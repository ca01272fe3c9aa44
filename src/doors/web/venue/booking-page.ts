import { randomUUID } from 'node:crypto'
import type { BookingAtVenue } from '../../../confirmation/operations/venue-page.ts'
import { type DeclineReason, NO_SHOW_HOURS } from '../../../confirmation/rules/venue-responses.ts'
import type { VenueBooking } from '../../../confirmation/store/venue-bookings.ts'
import { HOUR_MS, MINUTE_MS } from '../../../contract/rules/durations.ts'
import { type Html, html } from '../html.ts'
import { localWords, outcomeWords, statusWords } from './booking-text.ts'

const reasons: Record<DeclineReason, string> = {
  full: 'we are full then',
  closed: 'we are closed then',
  party_size: 'the party does not fit',
  short_notice: 'that is too soon',
  other: 'another reason',
}

/** One booking for the staff of its venue: the guest, the status, and the answers they can give. */
export function venueBooking(
  base: string,
  { booking, times, effect }: BookingAtVenue,
  { isAnswered, at }: { isAnswered: boolean; at: Date },
): Html {
  const { slot_time, party_size, starts_at, ends_at, deposit } = booking
  const minutes = Math.round((ends_at.getTime() - starts_at.getTime()) / MINUTE_MS)
  const rows = {
    Name: booking.name,
    Phone: booking.phone,
    Email: booking.email,
    Notes: booking.notes,
    Place: booking.offering,
    Until: `${minutes} minutes from ${slot_time.slice(11, 16)}`,
    [deposit?.kind === 'guarantee' ? 'Guarantee' : 'Deposit']:
      deposit && `${deposit.text}, between the guests and you`,
  }
  const row = ([title, value]: [string, string | null]) =>
    value !== null && html`<tr><th scope="row">${title}</th><td>${value}</td></tr>`
  return html`
<p><a href="${base}">All bookings</a></p>
<h1>${localWords(slot_time)}, ${party_size} ${party_size === 1 ? 'guest' : 'guests'}</h1>
${isAnswered && html`<p role="status"><strong>${outcomeWords(effect, booking)}</strong></p>`}
<p>${statusWords(booking)}.</p>
<div class="scroll"><table>
${Object.entries(rows).map(row)}
</table></div>
${actions(`${base}/bookings/${booking.id}`, booking, times, at)}`
}

function actions(action: string, booking: VenueBooking, times: readonly string[], at: Date): Html {
  const { status, confirm_mode, asked_revision } = booking
  const form = (said: string, button: string, more: Html = html``) => html`
<form method="post" action="${action}">
<input type="hidden" name="form" value="${randomUUID()}">
<input type="hidden" name="revision" value="${asked_revision}">
<input type="hidden" name="said" value="${said}">
${more}<button>${button}</button></form>`
  const choice = (label: string, name: string, options: [string, string][]) =>
    html`<label>${label} <select name="${name}">${options.map(
      ([value, text]) => html`<option value="${value}">${text}</option>`,
    )}</select></label> `

  if (status === 'pending' && confirm_mode === 'request') {
    const offers = times.map((time): [string, string] => [time, localWords(time)])
    const offer = () =>
      form('offered', 'Offer another time', choice('Instead', 'slot_time', offers))
    return html`<h2>Your answer</h2>${form('confirmed', 'Accept')}${times.length > 0 && offer()}
${form('declined', 'Decline', choice('Because', 'reason', Object.entries(reasons)))}`
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
  at.getTime() - since.getTime() <= NO_SHOW_HOURS * HOUR_MS
