import type { Words } from '../../base/languages.ts'
import { directionsUrl, placeLines } from '../../base/venue-place.ts'
import type { GuestCancellation, GuestPage } from '../../guests/operations/guest-page.ts'
import { guestSummary } from '../../guests/rules/guest-summary.ts'
import { facts } from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { type GuestView, inLanguage } from './guest-document.ts'

/** A booking as its guest sees it: when, where, how to cancel, and the calendar file. */
export function bookingView(
  view: GuestView,
  page: GuestPage,
  outcome: GuestCancellation | undefined,
): Html {
  const { booking, place, isDemo, guest, cancellation, at } = page
  const { words, path } = view
  const { say } = words
  const summary = guestSummary(words, page, at)
  const { when, proposed, service, price, party, status, reason, terms, deposit, refund } = summary
  const isCancelled = booking.status === 'cancelled'
  const rows = [
    [say('labels.proposed'), proposed],
    [proposed ? say('labels.requested') : say('labels.when'), when],
    [say('labels.service'), service],
    [say('labels.price'), price],
    [say('labels.party'), party],
    [say('labels.where'), whereHtml(say, place)],
    [say('labels.phone'), place.phone && html`<a href="tel:${place.phone}">${place.phone}</a>`],
    [say('labels.name'), guest.name],
    [say('labels.number'), booking.id],
  ] as const
  return html`
<h1>${booking.venue.name}</h1>
${outcome && html`<p role="status"><strong>${doneWords(view, outcome)}</strong></p>`}
<p>${status} ${reason}</p>
${isDemo && html`<p class="quiet">${say('demo')}</p>`}
${facts(rows)}
${(cancellation || isCancelled) && deposit.map((line) => html`<p>${line}</p>`)}
${isCancelled && refund && html`<p>${refund}</p>`}
${
  booking.status === 'confirmed' &&
  html`<p><a href="${inLanguage(view, `${path}/calendar.ics`)}">${say('calendar')}</a></p>`
}
${
  cancellation &&
  html`<h2>${say('rules.title')}</h2><p>${terms.ahead}</p>
<p><a href="${inLanguage(view, `${path}/cancel`)}">${say('cancel.link')}</a></p>`
}`
}

const whereHtml = (say: Words['say'], place: GuestPage['place']): Html => html`
${placeLines(place).join(', ')}<br>
<a href="${directionsUrl(place)}" rel="noreferrer">${say('labels.directions')}</a>`

/** The confirmation page for a cancellation, with its current cost. */
export function cancelView(view: GuestView, page: GuestPage, isChanged: boolean): Html {
  const { booking, cancellation, at } = page
  const { words, path } = view
  const { say } = words
  const summary = guestSummary(words, page, at)
  const { when, proposed, service, party, terms, deposit, refund } = summary
  const back = inLanguage(view, path)
  return html`
<h1>${say('cancel.question')}</h1>
${isChanged && html`<p role="alert"><strong>${say('cancel.changed')}</strong></p>`}
<p>${booking.venue.name}<br>${proposed ?? when}<br>${service}<br>${party}</p>
<p>${terms.now}</p>
${deposit.map((line) => html`<p>${line}</p>`)}
${refund && html`<p>${refund}</p>`}
<form method="post" action="${inLanguage(view, `${path}/cancel`)}">
<input type="hidden" name="fee" value="${cancellation?.fee}">
<button>${say('cancel.yes')}</button></form>
<p><a href="${back}">${say('cancel.no')}</a></p>`
}

function doneWords({ words: { say } }: GuestView, outcome: GuestCancellation): string {
  if (outcome === 'done') return say('cancel.done')
  return outcome === 'recorded' ? say('cancel.recorded') : say('cancel.tooLate')
}
