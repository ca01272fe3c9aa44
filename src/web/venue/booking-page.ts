import { HOUR_MS } from '../../base/durations.ts'
import { toLocal } from '../../base/local-time.ts'
import { serviceWords } from '../../bookings/rules/service-words.ts'
import type { BookingAtVenue } from '../../confirmation/operations/venue-page.ts'
import { type DecidedStatus, NO_SHOW_HOURS } from '../../confirmation/rules/venue-responses.ts'
import type { VenueBooking } from '../../confirmation/store/venue-bookings.ts'
import { wordsOf } from '../../guests/rules/languages.ts'
import { facts, linkButton } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { answerForm } from './answer-form.ts'
import { localWords, outcomeWords, statusWords, titleWords } from './booking-text.ts'
import { endingOf } from './end-question.ts'

/** One booking as the venue's staff see it: the guest, the status and the possible answers. */
export function venueBooking(
  base: string,
  { booking, times, effect }: BookingAtVenue,
  { isAnswered, at }: { isAnswered: boolean; at: Date },
): Html {
  const { service, timezone, ends_at, deposit } = booking
  const rows = {
    Name: booking.name,
    Phone: booking.phone,
    Email: booking.email,
    Notes: booking.notes,
    Service: serviceWords(booking),
    Until: toLocal(timezone, ends_at).slice(11, 16),
    Price: service.price ? wordsOf('en').price(service.price, booking.party_size) : null,
    [deposit?.kind === 'guarantee' ? 'Guarantee' : 'Deposit']:
      deposit && `${deposit.text}, settled between the guests and you`,
  }
  return html`
<p><a href="${base}">All bookings</a></p>
<h1>${titleWords(booking)}</h1>
${isAnswered && html`<p role="status"><strong>${outcomeWords(effect, booking)}</strong></p>`}
<p>${statusWords(booking)}.</p>
${facts(Object.entries(rows))}
${actions(`${base}/bookings/${booking.id}`, booking, times, at)}`
}

function actions(action: string, booking: VenueBooking, times: readonly string[], at: Date): Html {
  const { status } = booking
  const ending = endingOf(booking, at)
  const end = ending && linkButton(`${action}/end`, ending.link, true)
  const form = (answer: DecidedStatus, button: string, more = html``) =>
    answerForm(action, booking, answer, button, more)

  if (ending && status === 'pending') {
    const option = (time: string) => html`<option value="${time}">${localWords(time)}</option>`
    const choice = html`
<label>Instead <select name="slot_time">${times.map(option)}</select></label> `
    const offer = () => form('offered', 'Offer another time', choice)
    return html`<h2>Your answer</h2>${form('confirmed', 'Accept')}
${times.length > 0 && offer()}<p>${end}</p>`
  }
  if (ending) return html`<h2>${ending.heading}</h2><p>${end}</p>`
  if (status === 'no_show' && isWithin(booking.answered_at ?? booking.ends_at, at)) {
    return html`<h2>Made a mistake?</h2>${form('attended', 'The guests came')}`
  }
  const isOver = status === 'completed' || (status === 'confirmed' && booking.starts_at <= at)
  return isOver && isWithin(booking.ends_at, at)
    ? html`<h2>No-show?</h2>${form('no_show', 'Report a no-show')}`
    : html``
}

const isWithin = (since: Date, at: Date) =>
  at.getTime() - since.getTime() <= NO_SHOW_HOURS * HOUR_MS
