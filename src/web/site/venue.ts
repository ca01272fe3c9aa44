import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkAvailabilityInFull } from '../../availability/operations/check-availability.ts'
import { isFree } from '../../availability/rules/compact-slots.ts'
import { Refusal } from '../../base/errors.ts'
import { utcOffset } from '../../base/local-time.ts'
import { directionsUrl, placeLines } from '../../base/venue-place.ts'
import type { DayAvailability } from '../../contract/public.ts'
import { dashboardPolicy } from '../../doors/http/content-policy.ts'
import { serveTwins } from '../../doors/http/send-document.ts'
import { sentUrl } from '../../doors/http/sent-url.ts'
import { readPublicVenue } from '../../venues/operations/public-venue.ts'
import { assetPath } from '../page/assets.ts'
import { facts, table } from '../page/components.ts'
import { problemWords } from '../page/format-problem.ts'
import { type Html, html } from '../page/html.ts'
import { publicPage } from '../page/page.ts'
import { assistant } from './assistant.ts'
import { bookingFields, bookingForm, type Draft } from './booking-form.ts'
import { jsonLd, venueLinkedData } from './json-ld.ts'
import { type PublicDeps, venuePicture } from './search.ts'
import { listPath, queryFields } from './search-query.ts'
import * as shownVenue from './shown-venue.ts'
import { venueMarkdown } from './venue-markdown.ts'
import * as text from './venue-text.ts'

const scripts = html`
<script src="${assetPath('copy-button.js')}" type="module"></script>
<script src="${assetPath('code-tabs.js')}" type="module"></script>`

/** How many days to search for the first days with a free slot when no date is given. */
const DAYS_SEARCHED = 7
const DAYS_SHOWN = 3
const fields = ['date', 'time', 'party_size', 'service'] as const
/** `/venues/{slug}`: a venue, its times for a party, and how to book them; also in Markdown. */
export async function venuePage(scope: FastifyInstance, deps: PublicDeps) {
  const { services, call, publicUrl, config } = deps
  scope.addHook('onRequest', async (_, reply) => {
    // The copy buttons need scripts; with `no-referrer`, browsers submit forms with `Origin: null`.
    reply
      .header('content-security-policy', dashboardPolicy)
      .header('referrer-policy', 'same-origin')
  })
  const read = async (reply: FastifyReply, slug: string, wish: Wish) => {
    const { output, refusal } = await call(reply, checkAvailabilityInFull, {
      slug,
      ...inputOf(wish),
    })
    if (refusal && !shownVenue.formProblems.has(refusal.code)) throw new Refusal(refusal)
    const data = await readPublicVenue(services, slug, new Date())
    const problem = refusal ? problemWords(refusal) : null
    const { feePct } = services.settings
    return { ...data, ...timesOf(output, wish), problem, feePct, publicUrl }
  }
  const pageOf = (view: shownVenue.ShownVenue, request: FastifyRequest, draft?: Draft) => {
    const { venue } = view
    const kind = `${text.categoryWords[venue.category]} in ${text.areaWords(venue).join(', ')}`
    const form = config.BOOKING_FORM_KEY && bookingFields(view, draft)
    return publicPage(venue.name, venueView(view, form || undefined), {
      description: `${kind}. ${venue.description}`,
      canonical: `${publicUrl}/venues/${venue.slug}`,
      markdown: `/venues/${venue.slug}.md`,
      picture: 'venue.png',
      request,
      head: html`${scripts}${jsonLd(venueLinkedData(view, publicUrl))}`,
    })
  }
  serveTwins(scope, '/venues/:slug', 0, async (reply, slug, isMarkdown) => {
    const { request } = reply
    const view = await read(reply, slug, queryFields(request, fields))
    const path = `/venues/${view.venue.slug}`
    if (slug !== view.venue.slug) return redirectTo(isMarkdown ? `${path}.md` : path, reply)
    return { html: () => pageOf(view, request), markdown: () => venueMarkdown(view) }
  })
  if (!config.BOOKING_FORM_KEY) return
  const show = async (reply: FastifyReply, slug: string, draft: Draft) => {
    const { date = '', time = '', party_size = '', service = '' } = draft.values
    const view = await read(reply, slug, { date, time, party_size, service })
    return pageOf(view, reply.request, draft)
  }
  await scope.register((inner) => bookingForm(inner, deps, show))
}

/** Redirects to the venue's current address, keeping the query as sent. */
function redirectTo(path: string, reply: FastifyReply) {
  const [, query] = sentUrl(reply.request).split('?', 2)
  return reply.redirect(query ? `${path}?${query}` : path, 308)
}

type Wish = Record<(typeof fields)[number], string>

const inputOf = ({ date, party_size, service }: Wish) => ({
  ...(date ? { date } : { days: DAYS_SEARCHED }),
  ...(party_size && { party_size: Number(party_size) }),
  ...(service && { service }),
})

type Times = Pick<shownVenue.ShownVenue, 'services' | 'days'> & { party_size: number }

/** The times on the given date, or on the first days that have any. */
function timesOf(output: Times | undefined, { date, time, party_size, service }: Wish) {
  if (!output) return { date, time, service: '', days: [], partySize: Number(party_size) || 2 }
  const last = output.days.filter(isFree)[DAYS_SHOWN - 1] ?? output.days.findLast(isFree)
  return {
    date,
    time,
    service: service ? (output.services[0]?.name ?? '') : '',
    days: date ? output.days : output.days.slice(0, last ? output.days.indexOf(last) + 1 : 0),
    partySize: output.party_size,
  }
}

function venueView(view: shownVenue.ShownVenue, bookForm: Html | undefined): Html {
  const { venue, exceptions, neighbours, problem, time } = view
  const { name, city } = venue
  const areaLink = (area: string) => html`<a href="${listPath({ area })}">${area}</a>`
  const tags = venue.tags.map((tag) => {
    return html`<li><a href="${listPath({ q: tag, area: city })}">${tag}</a></li>`
  })
  const hours = text.openRows(view).map(({ days, hours }) => [days, hours])
  const rows = text.sessionRows(view)
  const special = exceptions.map(({ date, hours, reason }) => [
    text.dateWords(date),
    text.hoursWords(hours),
    reason,
  ])
  const nearby = neighbours.map(
    ({ slug, name }) => html`<li><a href="/venues/${slug}">${name}</a></li>`,
  )
  return html`
<div class="venue-head">${venuePicture(venue, 'masthead')}
<div><h1>${name}</h1>
<p class="kind">${text.categoryWords[venue.category]} ·
${text.areaWords(venue).map((place) => html`${areaLink(place)} · `)}
${text.countryName(venue.country)} · ${text.priceHtml(venue.price_level)}</p>
<p>${venue.description}</p>
${location(venue)}
${venue.is_demo && html`<p class="quiet">${shownVenue.DEMO_NOTICE}</p>`}</div></div>
${services(view)}
<h2 id="times">Times for ${[view.partySize, view.service].filter(Boolean).join(', ')}
<small class="quiet">local time in ${city},
${zoneWords(venue.timezone)}</small></h2>
${form(view)}
${problem ? html`<p role="alert" class="notice bad">${problem}</p>` : times(view)}
${
  time &&
  !problem &&
  !shownVenue.chosenSlot(view) &&
  html`
<p role="alert" class="notice bad">${time} is not free. Choose another time.</p>`
}
<section id="book" class="book">${bookForm}${assistant(view)}</section>
<div class="venue-facts"><section>
${rows.length > 0 && html`<h2>Sessions this week</h2>${table(['When', 'What', 'Who'], rows)}`}
${hours.length > 0 && html`<h2>Opening hours</h2>${table(['Days', 'Open'], hours)}`}
${special.length > 0 && html`<h3>Special days</h3>${table(['Day', 'Open', 'Why'], special)}`}
</section><section><h2>Terms</h2>${facts(shownVenue.terms(view))}</section></div>
${tags.length > 0 && html`<ul class="tags">${tags}</ul>`}
<h2>Good to know</h2>${facts(shownVenue.knownFacts(venue))}
${photos(venue)}
${nearby.length > 0 && html`<h2>Similar venues nearby</h2><ul>${nearby}</ul>`}`
}

/** The venue's services; each name links to its times. */
function services(view: shownVenue.ShownVenue): Html | undefined {
  if (!shownVenue.hasMenu(view)) return undefined
  const note = shownVenue.taxNote(view)
  const rows = view.services.map((one) => {
    const { name, description, with: names, party_min, party_max } = one
    const more = [
      ...(description ? [description] : []),
      ...(names ? [`With ${names.join(', ')}`] : []),
    ]
    const times = `/venues/${view.venue.slug}?service=${encodeURIComponent(name)}#times`
    return [
      html`<a href="${times}">${name}</a>${more.map(
        (line) => html`<br><span class="quiet">${line}</span>`,
      )}`,
      html`${shownVenue
        .lengthsAndPrices(one)
        .map((line, index) => html`${index > 0 && html`<br>`}${line}`)}`,
      shownVenue.guestsWords(party_min, party_max),
    ]
  })
  return html`<h2>Services</h2>${table(['Service', 'Length and price', 'Guests'], rows)}
${note && html`<p class="quiet">${note}</p>`}`
}

/** `UTC+08:00`. A name such as Asia/Makassar means little to most readers. */
const zoneWords = (timezone: string) => `UTC${utcOffset(timezone, new Date())}`

function location(venue: shownVenue.ShownVenue['venue']): Html {
  const [latitude, longitude] = [venue.latitude.toFixed(4), venue.longitude.toFixed(4)]
  const place = `mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  const { phone, website, menu_url: menu } = venue
  return html`<address>${placeLines(venue).join(', ')}</address>
<p>${phone && html`<a href="tel:${phone}">Call ${phone}</a> · `}
<a href="${directionsUrl(venue)}">Directions</a> ·
<a href="https://www.openstreetmap.org/?${place}">Map</a>${
    website &&
    html` ·
${outside(website, 'Website')}`
  }${menu && html` · ${outside(menu, 'Menu')}`}</p>`
}

/** A link to an address given by strangers, who learn nothing from it. */
const outside = (url: string, words: string): Html =>
  html`<a href="${url}" rel="nofollow noopener noreferrer ugc">${words}</a>`

/** Photographs stay at their own sites, so that no reader is tracked. */
const photos = ({ photos }: shownVenue.ShownVenue['venue']) =>
  photos.length > 0 &&
  html`<p>Photos: ${photos.map(
    ({ url, credit }, nth) =>
      html`${nth > 0 && ', '}${outside(url, String(nth + 1))}${credit && html` (${credit})`}`,
  )}</p>`

function form({ venue, date, partySize, service, services, terms }: shownVenue.ShownVenue): Html {
  const max = terms && html` max="${terms.partyMax}"`
  const options = services.map(
    ({ name }) => html`<option${name === service && html` selected`}>${name}</option>`,
  )
  return html`<form class="search" action="/venues/${venue.slug}#times">
<p class="field"><label for="date">Date</label>
<input id="date" name="date" type="date" value="${date}"></p>
<p class="field"><label for="party_size">Guests</label>
<input id="party_size" name="party_size" type="number" min="1"${max} value="${partySize}"></p>
${
  services.length > 1 &&
  html`<p class="field"><label for="service">Service</label>
<select id="service" name="service"><option value="">Any</option>${options}</select></p>`
}
<button>Show times</button></form>`
}

/** What the heading of a day without free times says. */
const dayWords: Partial<Record<DayAvailability['status'], string>> = {
  unavailable: ': fully booked',
  closed: ': closed',
}

function times(view: shownVenue.ShownVenue): Html {
  const { venue, date, days, partySize, service } = view
  const chosen = shownVenue.chosenSlot(view)
  if (days.length === 0) {
    return html`<p>Nothing is free for ${partySize} in the next seven days.
Try another date or party size.</p>`
  }
  const wish = service && `&service=${encodeURIComponent(service)}`
  return html`${days.map((day) => {
    const slots = date ? day.slots : day.slots.filter(isFree)
    const items = slots.map((slot) => {
      const clock = slot.slot_time.slice(11, 16)
      const more = text.chipWords(slot)
      const words = html`${clock}${more && html` <small>${more}</small>`}`
      if (!isFree(slot)) return html`<li class="taken">${words}</li>`
      const query = `date=${day.date}&party_size=${partySize}&time=${clock}${wish}`
      const mark = slot === chosen && html` aria-current="true"`
      return html`<li><a href="/venues/${venue.slug}?${query}#book"${mark}>${words}</a></li>`
    })
    return html`<h3>${text.dateWords(day.date)}${dayWords[day.status]}</h3>
${day.reason && html`<p>${day.reason}</p>`}
${items.length > 0 && html`<ul class="times">${items}</ul>`}`
  })}`
}
