import { HOUR_MS } from '../../base/durations.ts'
import { bookingCode } from '../../base/ids.ts'
import { priceWords } from '../../bookings/rules/price-words.ts'
import type { BookingAtVenue } from '../../confirmation/operations/venue-page.ts'
import { type DecidedStatus, NO_SHOW_HOURS } from '../../confirmation/rules/venue-responses.ts'
import type { VenueBooking } from '../../confirmation/store/venue-bookings.ts'
import { facts, linkButton, type Tone } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { asText, guestText, partyText, slotText, statusText } from './booking-text.ts'
import {
  answerForm,
  changeButtons,
  contactLines,
  guestLines,
  reasonButtons,
  requestButtons,
} from './request-card.ts'
import { type StaffView, to } from './staff-document.ts'

/** What the colour of a booking's status means. */
export const toneOf = ({ status, change }: VenueBooking): Tone => {
  if (change) return 'wait'
  if (status === 'confirmed') return 'good'
  if (status === 'pending' || status === 'offered') return 'wait'
  return status === 'completed' ? 'quiet' : 'bad'
}

/** One booking as the venue's staff see it: the guest, the status and the possible answers. */
export function bookingView(view: StaffView, { booking }: BookingAtVenue): Html {
  const { say } = view.words
  const { service, deposit, email, id, answered_by } = booking
  const price = service.price ? priceWords(service.price, booking.party_size, view.words) : null
  return html`
<h1>${slotText(view, booking)} · ${partyText(view.words, booking)}</h1>
<p class="state ${toneOf(booking)}">${statusText(view, booking)}</p>
${guestLines(view, booking)}
${actions(view, booking)}
${contactLines(view, booking)}
${facts([
  [say('staff.email'), email && html`<a href="mailto:${email}">${email}</a>`],
  [say('labels.price'), price],
  [
    say(deposit?.kind === 'guarantee' ? 'staff.guaranteeLabel' : 'staff.depositLabel'),
    deposit && say('staff.settled', { amount: deposit.text }),
  ],
  [say('staff.answeredBy'), answered_by],
  [say('labels.code'), html`<strong>${bookingCode(id)}</strong>`],
])}`
}

function actions(view: StaffView, booking: VenueBooking): Html {
  const { say } = view.words
  const { status, id } = booking
  const ending = endingOf(booking, view.at)
  if (ending === 'decline') return requestButtons(view, booking, false)
  if (ending) {
    const end = to(view, `/bookings/${id}/end`)
    return html`${booking.change && changeButtons(view, booking, false)}
<p>${linkButton(end, say(`staff.end.${ending}`), true)}</p>`
  }
  const isRecent = isWithin(booking.answered_at ?? booking.ends_at, view.at)
  return status === 'no_show' && isRecent
    ? answerForm(
        view,
        booking,
        { said: 'attended' },
        html`<button>${say('staff.end.attended')}</button>`,
      )
    : html``
}

/** How staff can end a booking at the time `at`, if they can. */
export function endingOf({ status, confirm_mode, starts_at, ends_at }: VenueBooking, at: Date) {
  if (status === 'offered') return 'withdraw'
  if (status === 'pending') return confirm_mode === 'request' ? 'decline' : undefined
  const isBegun = starts_at <= at
  if (status === 'confirmed' && !isBegun) return confirm_mode === 'http' ? undefined : 'cancel'
  const isOver = status === 'completed' || (status === 'confirmed' && isBegun)
  return isOver && isWithin(ends_at, at) ? 'noShow' : undefined
}

const isWithin = (since: Date, at: Date) =>
  at.getTime() - since.getTime() <= NO_SHOW_HOURS * HOUR_MS

type Ending = NonNullable<ReturnType<typeof endingOf>>

const decisions = {
  ...{ decline: 'declined', withdraw: 'declined', cancel: 'cancelled', noShow: 'no_show' },
} as const satisfies Record<Ending, DecidedStatus>

/** The question before staff end a booking: what happens, and who is told. */
export function endQuestion(view: StaffView, booking: VenueBooking, ending: Ending): Html {
  const { say } = view.words
  const said = decisions[ending]
  const buttons =
    said === 'no_show'
      ? html`<button class="danger">${say('staff.end.noShowYes')}</button>`
      : reasonButtons(view, said)
  const mail = booking.end_mail === 'none' ? guestText(view.words, booking) : say('staff.end.mail')
  return html`
<h1>${say(`staff.end.${ending}Title`)}</h1>
<p class="when">${slotText(view, booking)} · ${partyText(view.words, booking)}</p>
${guestLines(view, booking)}
${contactLines(view, booking)}
<p>${said === 'no_show' ? say('staff.end.noShowNote') : `${say('staff.end.agent')} ${mail}`}</p>
${answerForm(view, booking, { said }, buttons)}
<p>${linkButton(to(view, `/bookings/${booking.id}`), say('staff.end.keep'), true)}</p>`
}

/** The free times that staff can offer instead of the requested one: pressing one offers it. */
export function timesView(view: StaffView, { booking, times }: BookingAtVenue): Html {
  const { say } = view.words
  const days = Object.groupBy(times, (time) => time.slice(0, 10))
  const choices = Object.entries(days).map(
    ([date, own = []]) => html`
<h2>${say('staff.day', { at: asText(`${date}T00:00`) })}</h2><div class="choices">${own.map(
      (time) =>
        html`<button name="slot_time" value="${time}">${say('clock', {
          at: asText(time),
        })}</button>`,
    )}</div>`,
  )
  const form = answerForm(view, booking, { said: 'offered' }, html`${choices}`)
  return html`
<h1>${say('staff.offer.title')}</h1>
<p class="when">${slotText(view, booking)} · ${partyText(view.words, booking)}</p>
${times.length > 0 ? html`<p>${say('staff.offer.note')}</p>${form}` : say('staff.offer.none')}
<p>${linkButton(to(view, `/bookings/${booking.id}`), say('staff.end.keep'), true)}</p>`
}
