import { directionsUrl, placeLines } from '../../base/venue-place.ts'
import type { GuestCancellation, GuestPage } from '../../guests/operations/guest-page.ts'
import { guestSummary } from '../../guests/rules/guest-summary.ts'
import { facts } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { type GuestView, inLanguage } from './guest-document.ts'

/** A booking as its guest sees it: when, where, how to cancel, and the calendar file. */
export function bookingView(
  view: GuestView,
  { booking, place, isDemo, guest, cancellation, at }: GuestPage,
  outcome: GuestCancellation | undefined,
): Html {
  const { words, path } = view
  const summary = guestSummary(words, booking, at)
  const { when, proposed, service, price, party, status, reason, terms, deposit, refund } = summary
  const { labels } = words
  const isCancelled = booking.status === 'cancelled'
  const rows = [
    [labels.proposed, proposed],
    [proposed ? labels.requested : labels.when, when],
    [labels.service, service],
    [labels.price, price],
    [labels.party, party],
    [labels.where, whereHtml(labels, place)],
    [labels.phone, place.phone && html`<a href="tel:${place.phone}">${place.phone}</a>`],
    [labels.name, guest.name],
    [labels.number, booking.id],
  ] as const
  const rule = terms.fee === 'kept' ? words.rules.now(terms) : words.mail.rule(terms)
  return html`
<h1>${booking.venue.name}</h1>
${outcome && html`<p role="status"><strong>${doneWords(view, outcome)}</strong></p>`}
<p>${status} ${reason}</p>
${isDemo && html`<p class="quiet">${words.demo}</p>`}
${facts(rows)}
${(cancellation || isCancelled) && deposit.map((line) => html`<p>${line}</p>`)}
${isCancelled && refund && html`<p>${refund}</p>`}
${
  booking.status === 'confirmed' &&
  html`<p><a href="${inLanguage(view, `${path}/calendar.ics`)}">${words.calendar}</a></p>`
}
${
  cancellation &&
  html`<h2>${words.rules.title}</h2><p>${rule}</p>
<p><a href="${inLanguage(view, `${path}/cancel`)}">${words.cancel.link}</a></p>`
}`
}

const whereHtml = (labels: GuestView['words']['labels'], place: GuestPage['place']): Html => html`
${placeLines(place).join(', ')}<br>
<a href="${directionsUrl(place)}" rel="noreferrer">${labels.directions}</a>`

/** The confirmation page for a cancellation, with its current cost. */
export function cancelView(
  view: GuestView,
  { booking, cancellation, at }: GuestPage,
  isChanged: boolean,
): Html {
  const { words, path } = view
  const summary = guestSummary(words, booking, at)
  const { when, proposed, service, party, terms, deposit, refund } = summary
  const back = inLanguage(view, path)
  return html`
<h1>${words.cancel.question}</h1>
${isChanged && html`<p role="alert"><strong>${words.cancel.changed}</strong></p>`}
<p>${booking.venue.name}<br>${proposed ?? when}<br>${service}<br>${party}</p>
<p>${words.rules.now(terms)}</p>
${deposit.map((line) => html`<p>${line}</p>`)}
${refund && html`<p>${refund}</p>`}
<form method="post" action="${inLanguage(view, `${path}/cancel`)}">
<input type="hidden" name="fee" value="${cancellation?.fee}">
<button>${words.cancel.yes}</button></form>
<p><a href="${back}">${words.cancel.no}</a></p>`
}

function doneWords({ words: { cancel } }: GuestView, outcome: GuestCancellation): string {
  if (outcome === 'done') return cancel.done
  return outcome === 'recorded' ? cancel.recorded : cancel.tooLate
}
