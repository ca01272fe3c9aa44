import type { BookingStatus } from '../../base/booking-status.ts'
import { bookingCode } from '../../base/ids.ts'
import { directionsUrl, placeLines } from '../../base/venue-place.ts'
import type { GuestOutcome, GuestPage } from '../../guests/operations/guest-page.ts'
import { guestSummary, localTime } from '../../guests/rules/guest-summary.ts'
import { actionForm, facts, hidden, linkButton, type Tone } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { phoneLinks } from '../page/phone-links.ts'
import { type GuestView, inLanguage } from './guest-document.ts'

const tones: Partial<Record<BookingStatus, Tone>> = {
  confirmed: 'good',
  completed: 'quiet',
  pending: 'wait',
  offered: 'wait',
}

/** A booking as its guest sees it: its state first, then when, what and where, and what to do. */
export function bookingView(
  view: GuestView,
  page: GuestPage,
  outcome: GuestOutcome | undefined,
): Html {
  const { booking, guest, cancellation, at } = page
  const { words, path } = view
  const { say } = words
  const summary = guestSummary(words, page, at)
  const { when, proposed, service, price, party, status, reason, terms, deposit, refund } = summary
  const isCancelled = booking.status === 'cancelled'
  const rows = [
    [say('labels.requested'), proposed && when],
    [say('labels.service'), service],
    [say('labels.party'), party],
    [say('labels.price'), price],
    [say('labels.name'), guest.name],
    [say('labels.notes'), guest.notes && html`<span class="notes">${guest.notes}</span>`],
    [say('labels.bookedBy'), html`<bdi>${say('agent', { name: guest.account_name })}</bdi>`],
    [say('labels.code'), html`<strong>${bookingCode(booking.id)}</strong>`],
  ] as const
  return html`
${outcome && html`<p class="notice" role="status"><strong>${doneWords(view, outcome)}</strong></p>`}
<h1 class="state ${tones[booking.status] ?? 'bad'}">${status} ${reason}</h1>
<h2 class="name">${booking.venue.name}</h2>
<p class="when">${proposed ?? when}</p>
${summary.waiting && html`<p class="notice" role="status">${summary.waiting}</p>`}
${page.isChangeRefused && html`<p class="notice bad">${say('change.kept')}</p>`}
${offerForm(view, page, summary.shortProposed)}
${whereHtml(view, page)}
${facts(rows)}
${(cancellation || isCancelled) && deposit.map((line) => html`<p>${line}</p>`)}
${isCancelled && refund && html`<p>${refund}</p>`}
<p class="row">${
    booking.status === 'confirmed' &&
    linkButton(inLanguage(view, `${path}/calendar.ics`), say('calendar'), true)
  }${page.canChange && linkButton(inLanguage(view, `${path}/change`), say('change.link'), true)}</p>
${
  cancellation &&
  booking.status !== 'offered' &&
  html`<h2>${say('rules.title')}</h2><p>${terms.ahead}</p>
<p>${linkButton(inLanguage(view, `${path}/cancel`), say('cancel.link'), true)}</p>`
}
${partsHtml(view, page)}`
}

/** The time that the venue offers: accepting it is one tap, refusing it asks first. */
const offerForm = (view: GuestView, page: GuestPage, time: string | null): Html => {
  const { offer } = page.booking
  const { say } = view.words
  if (!page.cancellation || !offer || !time) return html``
  const accept = actionForm(
    inLanguage(view, `${view.path}/accept`),
    say('offer.accept', { time }),
    { more: hidden('slot_time', offer.slot_time), tone: 'main' },
  )
  return html`${page.canAccept ? accept : html`<p>${say('offer.ask')}</p>`}
<p>${linkButton(inLanguage(view, `${view.path}/cancel`), say('offer.refuse'), true)}</p>`
}

/** The address, and links to get there, call and write to the venue. */
const whereHtml = ({ words }: GuestView, { place }: GuestPage): Html => html`
<p>${placeLines(place).join(', ')}</p>
<p class="row"><a class="button second" href="${directionsUrl(place)}" rel="noreferrer"
>${words.say('labels.directions')}</a>${place.phone && phoneLinks(words, place.phone)}</p>`

/** The other bookings of the same itinerary. */
const partsHtml = ({ words }: GuestView, { parts, at }: GuestPage): Html =>
  html`${
    parts.length > 0 &&
    html`<h2>${words.say('parts')}</h2><ul>${parts.map(
      ({ url, venue_name, timezone, starts_at }) => html`
<li><a href="${url}?lang=${words.language}">${venue_name}</a>,
${localTime(words, timezone, starts_at.toISOString(), at)}</li>`,
    )}</ul>`
  }`

/** The confirmation page for a cancellation or the refusal of an offer, with its current cost. */
export function cancelView(view: GuestView, page: GuestPage, isChanged: boolean): Html {
  const { booking, cancellation, at } = page
  const { words, path } = view
  const { say } = words
  const summary = guestSummary(words, page, at)
  const { when, proposed, service, party, terms, deposit, refund } = summary
  const isOffer = booking.status === 'offered'
  return html`
<h1>${say(isOffer ? 'offer.refuseQuestion' : 'cancel.question')}</h1>
${isChanged && html`<p role="alert"><strong>${say('cancel.changed')}</strong></p>`}
<p>${booking.venue.name}<br>${proposed ?? when}<br>${service}<br>${party}</p>
${!isOffer && html`<p>${terms.now}</p>`}
${deposit.map((line) => html`<p>${line}</p>`)}
${refund && html`<p>${refund}</p>`}
<form method="post" action="${inLanguage(view, `${path}/cancel`)}">
<input type="hidden" name="fee" value="${cancellation?.fee}">
<button class="danger">${say(isOffer ? 'offer.refuseYes' : 'cancel.yes')}</button></form>
<p>${linkButton(inLanguage(view, path), say('cancel.no'), true)}</p>`
}

/** What has become of the guest's last act. */
function doneWords({ words: { say } }: GuestView, outcome: GuestOutcome): string {
  const texts: Record<GuestOutcome, string> = {
    done: say('cancel.done'),
    recorded: say('change.recorded'),
    amended: say('change.done'),
    changed: say('cancel.changed'),
    taken: say('change.taken'),
    kept: say('change.kept'),
    refused: say('change.refused'),
    too_late: say('cancel.tooLate'),
  }
  return texts[outcome]
}
