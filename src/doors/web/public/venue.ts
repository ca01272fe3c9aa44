import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkAvailability } from '../../../availability/operations/check-availability.ts'
import { errorCatalogue } from '../../../contract/rules/error-catalogue.ts'
import { Refusal } from '../../../contract/rules/errors.ts'
import { readPublicVenue } from '../../../venues/operations/public-venue.ts'
import { refusalHeaders } from '../../refusal-headers.ts'
import { codeBlock } from '../components/code.ts'
import { table } from '../components/table.ts'
import { type Html, html } from '../html.ts'
import { drawMap } from '../map/map.ts'
import { publicPage } from '../page.ts'
import { problemWords } from '../problem-words.ts'
import { callsToBook } from './how-to-book.ts'
import { jsonLd, venueLinkedData } from './json-ld.ts'
import type { PublicDeps } from './search.ts'
import { listPath, queryField } from './search-query.ts'
import { sendTwin } from './send-document.ts'
import { chosenSlot, isFree, type ShownVenue, terms } from './shown-venue.ts'
import { venuePicture } from './venue-card.ts'
import { venueMarkdown } from './venue-markdown.ts'
import {
  categoryWords,
  countryName,
  dateWords,
  hoursWords,
  priceMark,
  slotWords,
  weekWords,
} from './venue-text.ts'

/** Without a date so many days are looked at, for the first few with something free. */
const DAYS_LOOKED_AT = 7
const DAYS_SHOWN = 3
/** What the form can be wrong about: the page is shown with what is wrong. */
const aboutTheForm = new Set([
  'invalid_request',
  'slot_in_past',
  'beyond_horizon',
  'party_too_small',
  'party_too_large',
])

/** `/venues/{slug}`: a venue, its times for a party and how they are booked; with `.md` the same in Markdown. */
export async function venuePage(scope: FastifyInstance, { services, call, publicUrl }: PublicDeps) {
  scope.get<{ Params: { slug: string } }>('/venues/:slug', async (request, reply) => {
    const { slug: asked } = request.params
    const isMarkdown = asked.endsWith('.md')
    const slug = isMarkdown ? asked.slice(0, -'.md'.length) : asked
    const { date, partySize, time } = wishesOf(request)
    const days = date ? { date } : { days: DAYS_LOOKED_AT }
    const answer = await call(request, reply, checkAvailability, {
      slug,
      ...days,
      ...(partySize && { party_size: Number(partySize) }),
    })
    if (answer.refusal) {
      const { code } = answer.refusal
      if (!aboutTheForm.has(code)) throw new Refusal(answer.refusal)
      reply.code(errorCatalogue[code].status).headers(refusalHeaders(answer.refusal))
    }
    const found = await readPublicVenue(services, slug, new Date())
    const path = `/venues/${found.venue.slug}`
    if (slug !== found.venue.slug) {
      const [, question] = request.url.split('?', 2)
      const to = isMarkdown ? `${path}.md` : path
      return reply.redirect(question ? `${to}?${question}` : to, 308)
    }

    const shown: ShownVenue = {
      ...found,
      date,
      time,
      partySize: answer.output?.party_size ?? (Number(partySize) || 2),
      days: date ? (answer.output?.days ?? []) : firstFree(answer.output?.days ?? []),
      problem: answer.refusal ? problemWords(answer.refusal) : null,
      feePct: services.settings.feePct,
      publicUrl,
    }
    const { venue } = found
    const html = () =>
      publicPage(venue.name, venueView(shown), {
        description: `${categoryWords[venue.category]} in ${venue.area}, ${venue.city}. ${venue.description}`,
        canonical: `${publicUrl}${path}`,
        markdown: `${path}.md`,
        head: jsonLd(venueLinkedData(found, publicUrl)),
      })
    return sendTwin(request, reply, { html, markdown: () => venueMarkdown(shown) }, { isMarkdown })
  })
}

const wishesOf = (request: FastifyRequest) => ({
  date: queryField(request, 'date'),
  partySize: queryField(request, 'party_size'),
  time: queryField(request, 'time'),
})

const firstFree = (days: ShownVenue['days']) =>
  days.filter(({ status }) => status === 'available' || status === 'limited').slice(0, DAYS_SHOWN)

/** The page of a venue. */
function venueView(shown: ShownVenue): Html {
  const { venue, week, exceptions, neighbours } = shown
  const point = { ...venue, href: null, weight: 1 }
  return html`
${venuePicture(venue, 'masthead')}
<h1>${venue.name}</h1>
<p class="kind">${categoryWords[venue.category]} · <a href="${listPath({ area: venue.area })}">${venue.area}</a> · <a href="${listPath({ area: venue.city })}">${venue.city}</a> · ${countryName(venue.country)} · <abbr title="price level ${venue.price_level} of 4">${priceMark(venue.price_level)}</abbr></p>
${venue.is_demo ? html`<p class="notice">Demo venue. Bookings work, but no one is expecting you.</p>` : ''}
<p>${venue.description}</p>
${venue.tags.length > 0 ? html`<ul class="tags">${venue.tags.map((tag) => html`<li><a href="${listPath({ q: tag, area: venue.city })}">${tag}</a></li>`)}</ul>` : ''}
<h2 id="times">Times</h2>
${form(shown)}
${shown.problem ? html`<p role="alert" class="notice bad">${shown.problem}</p>` : times(shown)}
<h2 id="book">Book with an agent</h2>
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
    ? html`<h3>Special hours</h3>${table(
        ['Day', 'Open', 'Why'],
        exceptions.map(({ date, hours, reason }) => [dateWords(date), hoursWords(hours), reason]),
      )}`
    : ''
}
<h2>Location</h2>
${drawMap([point], `Map: ${venue.name}`)}
<p class="quiet">${venue.latitude.toFixed(4)}, ${venue.longitude.toFixed(4)} · <a href="geo:${venue.latitude},${venue.longitude}">open in a map</a></p>
${neighbours.length > 0 ? html`<h2>Similar venues nearby</h2><ul>${neighbours.map(({ slug, name }) => html`<li><a href="/venues/${slug}">${name}</a></li>`)}</ul>` : ''}`
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
    return html`<p>Nothing is free for ${partySize} in the next seven days. Try another date or party size.</p>`
  }
  const path = `/venues/${venue.slug}`
  return html`${days.map((day) => {
    const slots = date ? day.slots : day.slots.filter(isFree)
    return html`<h3>${dateWords(day.date)}</h3>${day.reason ? html`<p>${day.reason}</p>` : ''}
${slots.length === 0 ? html`<p class="quiet">No times on this day.</p>` : ''}<ul class="times">${slots.map(
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
  const key = html`<p class="quiet">Set <code>KEY</code> to <a href="/sign-up">your API key</a> on the pro tier. Read on: <a href="/docs/bookings">the life of a booking</a>.</p>`
  if (!slot) return html`<p>Choose a day with free times to see the request.</p>${key}`
  const [date = '', clock = ''] = slot.slot_time.split('T')
  const calls = callsToBook(publicUrl, venue.id, slot, partySize)
  return html`<p>${dateWords(date)}, ${clock.slice(0, 5)}, for ${partySize}:</p>
${calls.map(({ label, code }) => html`<h3>${label}</h3>${codeBlock(code, label)}`)}${key}`
}
