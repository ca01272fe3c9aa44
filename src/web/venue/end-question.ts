import { serviceWords } from '../../bookings/rules/service-words.ts'
import type { DeclineReason } from '../../confirmation/rules/venue-responses.ts'
import type { VenueBooking } from '../../confirmation/store/venue-bookings.ts'
import { linkButton } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { answerForm } from './answer-form.ts'
import { guestWords, titleWords } from './booking-text.ts'

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
