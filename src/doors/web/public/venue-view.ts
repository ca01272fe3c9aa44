import type { DayAvailability, Slot } from '../../../contract/public.ts'
import { money } from '../../../contract/rules/money.ts'
import type { PublicVenue } from '../../../venues/operations/public-venue.ts'
import { type Html, html } from '../html.ts'
import { drawMap } from '../map/map.ts'
import { codeBlock, table } from '../parts.ts'
import { callsToBook } from './how-to-book.ts'
import { motif } from './motif.ts'
import { listPath } from './search-query.ts'
import {
  categoryWords,
  confirmWords,
  countryName,
  dateWords,
  hoursWords,
  priceMark,
  slotWords,
  spanWords,
  weekWords,
} from './venue-words.ts'

/** What the page of a venue shows; `problem` says why there are no times. */
export type ShownVenue = PublicVenue & {
  /** as they were asked for; empty where they were not */
  date: string
  time: string
  partySize: number
  days: readonly DayAvailability[]
  problem: string | null
  feePct: number
  publicUrl: string
}

const isFree = ({ status }: Slot) => status === 'available' || status === 'limited'

/** The slot for which the calls are shown: the one that was chosen, else the first that is free. */
export function chosenSlot({ days, date, time }: ShownVenue): Slot | undefined {
  const free = days.flatMap(({ slots }) => slots).filter(isFree)
  return free.find(({ slot_time }) => slot_time.startsWith(`${date}T${time}`)) ?? free[0]
}

/** The page of a venue. */
export function venueView(shown: ShownVenue): Html {
  const { venue, week, exceptions, neighbours } = shown
  const point = { ...venue, href: null, weight: 1 }
  return html`
<div class="masthead">${motif(venue)}</div>
<h1>${venue.name}</h1>
<p class="kind">${categoryWords[venue.category]} · <a href="${listPath({ area: venue.area })}">${venue.area}</a> · <a href="${listPath({ area: venue.city })}">${venue.city}</a> · ${countryName(venue.country)} · <abbr title="price level ${venue.price_level} of 4">${priceMark(venue.price_level)}</abbr></p>
${venue.is_demo ? html`<p class="notice">A fictitious venue of the demo data: it can be booked, and nobody waits for you there.</p>` : ''}
<p>${venue.description}</p>
${venue.tags.length > 0 ? html`<ul class="tags">${venue.tags.map((tag) => html`<li><a href="${listPath({ q: tag, area: venue.city })}">${tag}</a></li>`)}</ul>` : ''}
<h2 id="times">Times</h2>
${form(shown)}
${shown.problem ? html`<p role="alert" class="notice bad">${shown.problem}</p>` : times(shown)}
<h2 id="book">How an agent books it</h2>
${booking(shown)}
<h2>Terms</h2>
<dl class="facts">${terms(shown).map(([term, what]) => html`<dt>${term}</dt><dd>${what}</dd>`)}</dl>
<h2>Opening hours</h2>
<p class="quiet">Times are local: ${venue.timezone}.</p>
${table(
  ['Days', 'Open'],
  weekWords(week).map(({ days, hours }) => [days, hours]),
)}
${
  exceptions.length > 0
    ? html`<h3>Other hours soon</h3>${table(
        ['Day', 'Open', 'Why'],
        exceptions.map(({ date, hours, reason }) => [dateWords(date), hoursWords(hours), reason]),
      )}`
    : ''
}
<h2>Where it is</h2>
${drawMap([point], `Map: ${venue.name}`)}
<p class="quiet">${venue.latitude.toFixed(4)}, ${venue.longitude.toFixed(4)} · <a href="geo:${venue.latitude},${venue.longitude}">open in a map</a></p>
${neighbours.length > 0 ? html`<h2>Others like it nearby</h2><ul>${neighbours.map(({ slug, name }) => html`<li><a href="/venues/${slug}">${name}</a></li>`)}</ul>` : ''}`
}

const form = ({
  venue,
  date,
  partySize,
  terms,
}: ShownVenue) => html`<form class="search" action="/venues/${venue.slug}#times">
<p class="field"><label for="date">Date</label><input id="date" name="date" type="date" value="${date}"></p>
<p class="field"><label for="party_size">Guests</label><input id="party_size" name="party_size" type="number" min="1"${terms ? html` max="${terms.partyMax}"` : ''} value="${partySize}"></p>
<button>Show times</button></form>`

function times({ venue, date, days, partySize }: ShownVenue): Html {
  if (days.length === 0) {
    return html`<p>Nothing is free for ${partySize} in the next seven days. Choose a date, or another number of guests.</p>`
  }
  const path = `/venues/${venue.slug}`
  return html`${days.map((day) => {
    const slots = date ? day.slots : day.slots.filter(isFree)
    return html`<h3>${dateWords(day.date)}</h3>${day.reason ? html`<p>${day.reason}</p>` : ''}
${slots.length === 0 ? html`<p class="quiet">There are no times on this day.</p>` : ''}<ul class="times">${slots.map(
      (slot) => {
        const clock = slot.slot_time.slice(11, 16)
        const words = html`${clock} <small>${slotWords(slot)}</small>`
        return isFree(slot)
          ? html`<li><a href="${path}?date=${day.date}&party_size=${partySize}&time=${clock}#book">${words}</a></li>`
          : html`<li class="taken">${words}</li>`
      },
    )}</ul>`
  })}`
}

function booking(shown: ShownVenue): Html {
  const slot = chosenSlot(shown)
  const { venue, partySize, publicUrl } = shown
  const key = html`<p class="quiet">With <a href="/sign-up">a key of your own</a> on the pro tier in <code>KEY</code>. What it answers, and everything after: <a href="/docs/bookings">the life of a booking</a>.</p>`
  if (!slot) return html`<p>Choose a day with free times to see the call.</p>${key}`
  const [date = '', clock = ''] = slot.slot_time.split('T')
  const calls = callsToBook(publicUrl, venue.id, slot, partySize)
  return html`<p>${dateWords(date)}, ${clock.slice(0, 5)}, for ${partySize}:</p>
${calls.map(({ label, code }) => html`<h3>${label}</h3>${codeBlock(code, label)}`)}${key}`
}

/** What a booking is subject to, as pairs of a term and what holds for it. */
export function terms({ venue, terms, feePct }: ShownVenue): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [['Confirmation', confirmWords[venue.confirm_mode]]]
  if (!terms) return [...pairs, ['Booking', 'Nothing can be booked here at present.']]
  const { partyMin, partyMax, horizonDays, cancelMinutes, spendPerGuestMinor } = terms
  return [
    ...pairs,
    ['Party', partyMin === partyMax ? `${partyMax}` : `${partyMin} to ${partyMax} guests`],
    ['Bookable', `${spanWords(horizonDays * 1440)} ahead`],
    [
      'Free cancellation',
      cancelMinutes === 0 ? 'until it begins' : `until ${spanWords(cancelMinutes)} before`,
    ],
    ['Usual spend', `${money(spendPerGuestMinor, venue.currency)} per guest`],
    ['Fee of the network', `${feePct} % of that, for each guest`],
    ['Currency', venue.currency],
    ['Venue id', venue.id],
  ]
}
