import { HOUR_MS } from '../../base/durations.ts'
import { bookingCode } from '../../base/ids.ts'
import { toLocal } from '../../base/local-time.ts'
import { serviceWords } from '../../bookings/rules/service-words.ts'
import type { BookingAtVenue } from '../../confirmation/operations/venue-page.ts'
import {
  type DecidedStatus,
  type DeclineReason,
  NO_SHOW_HOURS,
} from '../../confirmation/rules/venue-responses.ts'
import type { VenueBooking } from '../../confirmation/store/venue-bookings.ts'
import { facts, linkButton } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { answerForm } from './answer-form.ts'
import { guestWords, localWords, outcomeWords, statusWords, titleWords } from './booking-text.ts'

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
    Price: service.price?.total ?? null,
    [deposit?.kind === 'guarantee' ? 'Guarantee' : 'Deposit']:
      deposit && `${deposit.text}, settled between the guests and you`,
    Code: bookingCode(booking.id),
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

const reasons: Record<DeclineReason, string> = {
  full: 'we are full then',
  closed: 'we are closed then',
  party_size: 'the party does not fit',
  short_notice: 'that is too soon',
  other: 'another reason',
}

const declines = { said: 'declined', button: 'Decline' } as const
const endings = {
  pending: { ...declines, heading: '', link: 'Decline', question: 'Decline this request?' },
  offered: {
    ...declines,
    heading: 'Changed your mind?',
    link: 'Withdraw the offer',
    question: 'Withdraw the offer and decline the request?',
  },
  confirmed: {
    said: 'cancelled',
    heading: 'Can’t honour it?',
    link: 'Cancel this booking',
    question: 'Cancel this booking?',
    button: 'Cancel the booking',
  },
} as const

/** How staff can end a booking at the time `at`, if they can. */
export function endingOf({ status, confirm_mode, starts_at }: VenueBooking, at: Date) {
  if (status === 'offered') return endings.offered
  if (status === 'pending') return confirm_mode === 'request' ? endings.pending : undefined
  const isAhead = status === 'confirmed' && starts_at > at
  return isAhead && confirm_mode !== 'http' ? endings.confirmed : undefined
}

type Ending = NonNullable<ReturnType<typeof endingOf>>

/** The final confirmation, with the reason, before staff end a booking. */
export function endQuestion(path: string, booking: VenueBooking, ending: Ending): Html {
  const { said: answer, question, button } = ending
  const choice = html`<label>Reason <select name="reason" required>
<option value="">Choose one</option>
${Object.entries(reasons).map(
  ([value, text]) => html`<option value="${value}">${text}</option>`,
)}</select></label> `
  return html`
<h1>${question}</h1>
<p><strong>${titleWords(booking)}${booking.name && html`, ${booking.name}`}</strong><br>
${serviceWords(booking)}</p>
<p>This cannot be undone. The agent that booked can see it, with your reason.
${booking.end_mail === 'none' && guestWords(booking)}</p>
${answerForm(path, booking, answer, button, choice)}
<p>${linkButton(path, 'Keep it', true)}</p>`
}

const isWithin = (since: Date, at: Date) =>
  at.getTime() - since.getTime() <= NO_SHOW_HOURS * HOUR_MS
