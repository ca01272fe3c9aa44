import { randomUUID } from 'node:crypto'
import { bookingCode } from '../../base/ids.ts'
import { serviceWords } from '../../bookings/rules/service-words.ts'
import type { DecidedStatus, DeclineReason } from '../../confirmation/rules/venue-responses.ts'
import type { VenueBooking } from '../../confirmation/store/venue-bookings.ts'
import { hidden, linkButton } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { phoneLinks } from '../page/phone-links.ts'
import { momentText, partyText, slotText, wantedText } from './booking-text.ts'
import { type StaffView, to } from './staff-document.ts'

type Answer = {
  said: DecidedStatus
  /** after the answer, show the list instead of the booking */
  isInList?: boolean
}

/** A form that submits an answer to the revision of the booking that the page shows. */
export const answerForm = (
  view: StaffView,
  { id, asked_revision }: VenueBooking,
  { said, isInList = false }: Answer,
  buttons: Html,
): Html => html`
<form class="answer" method="post" action="${to(view, `/bookings/${id}`)}"
>${hidden('form', randomUUID())}${hidden('revision', String(asked_revision))}${hidden(
  'said',
  said,
)}${isInList && hidden('list', '1')}${buttons}</form>`

const forDecline = ['full', 'party_size', 'short_notice', 'closed'] as const
const forCancel = ['full', 'closed', 'other'] as const

/** A button for each reason; pressing one submits the answer. */
export function reasonButtons(view: StaffView, said: 'declined' | 'cancelled'): Html {
  const { say } = view.words
  const reasons: readonly DeclineReason[] = said === 'declined' ? forDecline : forCancel
  return html`<p>${say('staff.reasons.title')}</p><div class="choices">${reasons.map(
    (reason) =>
      html`<button class="danger" name="reason" value="${reason}">${say(
        `staff.reasons.${reason}`,
      )}</button>`,
  )}</div>`
}

/** The time until a deadline, counted down by a script. */
const countdown = (view: StaffView, deadline: Date): Html => {
  const { say } = view.words
  const iso = deadline.toISOString()
  return html`<p class="left"><time datetime="${iso}">${say('staff.answerBy', {
    until: momentText(view, deadline),
  })}</time><span hidden> · ${say('staff.left')} <strong data-until="${iso}"></strong></span></p>`
}

/** Who comes, and for what. */
export const guestLines = ({ words }: StaffView, booking: VenueBooking): Html => {
  const { name, notes } = booking
  return html`
<p><strong>${name ?? words.say('staff.noName')}</strong> · ${serviceWords(booking, words)}</p>
${notes && html`<p class="notes">${notes}</p>`}`
}

/** How to call or write to the guest. */
export const contactLines = ({ words }: StaffView, { phone }: VenueBooking): Html =>
  html`${phone && html`<p class="row">${phoneLinks(words, phone)}</p>`}`

/** Accept in one tap, another time in two, decline with its reason in two. */
export function requestButtons(view: StaffView, booking: VenueBooking, isInList: boolean): Html {
  const { say } = view.words
  const { id } = booking
  const accept = html`<button class="yes" id="accept-${id}">${say('staff.accept')}</button>`
  return html`
${answerForm(view, booking, { said: 'confirmed', isInList }, accept)}
<div class="others">${linkButton(
    to(view, `/bookings/${id}/times`),
    say('staff.anotherTime'),
    true,
  )}<details id="decline-${id}"><summary class="button danger">${say('staff.decline')}</summary>
${answerForm(view, booking, { said: 'declined', isInList }, reasonButtons(view, 'declined'))}
</details></div>`
}

/** One tap makes the change that the guest wants, or keeps the booking as it is. */
export function changeButtons(view: StaffView, booking: VenueBooking, isInList: boolean): Html {
  const { say } = view.words
  const accept = html`
<button class="yes" id="accept-${booking.id}">${say('staff.acceptChange')}</button>`
  const keep = html`${hidden('reason', 'other')}
<button class="danger">${say('staff.keepChange')}</button>`
  return html`
${answerForm(view, booking, { said: 'confirmed', isInList }, accept)}
${answerForm(view, booking, { said: 'declined', isInList }, keep)}`
}

/** A request that awaits an answer, with everything needed to give it. */
export function requestCard(view: StaffView, booking: VenueBooking): Html {
  const { say } = view.words
  const { id, answer_by, reminded_at, change } = booking
  const wanted = wantedText(view, booking)
  const buttons = change ? changeButtons : requestButtons
  return html`
<li class="request" data-request="${id}">
<h2><a href="${to(view, `/bookings/${id}`)}">${slotText(view, booking)} ·
${partyText(view.words, booking)}</a></h2>
${guestLines(view, booking)}
${wanted && html`<p><strong>${say('staff.change', { wanted })}</strong></p>`}
${reminded_at && !change && html`<p class="urgent"><strong>${say('staff.urgent')}</strong></p>`}
${answer_by && countdown(view, answer_by)}
${buttons(view, booking, true)}
${contactLines(view, booking)}
<p class="quiet">${say('labels.code')}: ${bookingCode(id)}</p></li>`
}
