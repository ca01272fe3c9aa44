import type { FastifyInstance, FastifyReply } from 'fastify'
import { categories } from '../../base/venue-kinds.ts'
import type { Interpretation } from '../../contract/interpretation.ts'
import type { Venue } from '../../contract/public.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { serveTwins } from '../../doors/http/send-document.ts'
import * as areas from '../../venues/operations/public-areas.ts'
import { grouped } from '../page/components.ts'
import { problemWords } from '../page/format-problem.ts'
import { type Html, html } from '../page/html.ts'
import { publicPage } from '../page/page.ts'
import type { CallOpen } from './call-open.ts'
import { OWN_WORDS, plain } from './markdown.ts'
import { findVenues, listPath, type SearchFields, searchFields } from './search-query.ts'
import { areaWords, categoryWords, dateWords, priceHtml, priceMarkdown } from './venue-text.ts'

const MAX_AREA_NAMES = 100

export type PublicDeps = DoorDeps & { call: CallOpen }

/** `/venues`: the search that agents use, as a page for people and in Markdown. */
export async function searchPage(scope: FastifyInstance, deps: PublicDeps) {
  serveTwins(scope, '/venues', 0, async (reply) => {
    const list = await readList(deps, reply)
    const { fields } = list
    const { category, area } = fields
    const canonical = `${deps.publicUrl}${listPath({ category, area })}`
    const about = { canonical, markdown: markdownPath(fields), request: reply.request }
    return {
      html: () => publicPage(titleOf(fields), searchView(list), about),
      markdown: () => searchMarkdown(list),
    }
  })
}

type ShownList = Awaited<ReturnType<typeof readList>>

async function readList({ services, call }: PublicDeps, reply: FastifyReply) {
  const fields = searchFields(reply.request)
  const { output, refusal } = await findVenues(call, reply, fields)
  const [places, names, { venues: total }] = await Promise.all([
    fields.q ? [] : areas.readAreasWithin(services, fields.area || undefined),
    areas.readAreaNames(services, MAX_AREA_NAMES),
    areas.readNetworkSize(services),
  ])
  const { venues = [], next_cursor: cursor = null } = output ?? {}
  const interpretation = output && 'interpretation' in output ? output.interpretation : null
  return { fields, names, places, total, refusal, venues, cursor, interpretation }
}

const markdownPath = (fields: SearchFields) => listPath(fields).replace('/venues', '/venues.md')

/** Ignored words shorter than this, such as "in" or "for", are not reported. */
const MIN_REPORTED_CHARS = 4

function titleOf({ q, category, area }: SearchFields): string {
  if (q) return `Venues for “${q}”`
  const match = categories.find((one) => one === category)
  return `${match ? `${categoryWords[match]} venues` : 'Venues'}${area ? ` in ${area}` : ''}`
}

function searchView(list: ShownList): Html {
  const { fields, names, places, total, refusal, venues, cursor, interpretation } = list
  const next = cursor && listPath({ ...fields, cursor })
  return html`
<h1>${titleOf(fields)}</h1>
${form(fields, names)}
${refusal && html`<p role="alert" class="notice bad">${problemWords(refusal)}</p>`}
${interpretation && understood(interpretation)}
<h2>${headOf(fields, venues.length, total)}</h2>
<ul class="cards">${venues.map((venue) => venueCard(venue, fields.party_size))}</ul>
${next && html`<p><a rel="next" href="${next}">More venues</a></p>`}
${places.length > 0 && placeLinks(places)}
<p class="quiet">Agents use <code>GET /api/venues/search</code>. See
<a href="/docs/public-pages">what you can read without a key</a>.</p>`
}

function headOf(fields: SearchFields, count: number, total: number): string {
  if (count === 0) return 'No venues found'
  if (fields.cursor) return 'More venues'
  const isAll = Object.values(fields).every((value) => value === '')
  return isAll ? `${total.toLocaleString('en')} venues` : 'Results'
}

function form(
  { q, category, area, party_size, date, time }: SearchFields,
  names: readonly string[],
): Html {
  const input = (name: string, label: string, attributes: Html) => html`
<p class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes}></p>`
  const text = (value: string, max: number, placeholder: string) =>
    html`value="${value}" maxlength="${max}" placeholder="${placeholder}"`
  const words = html`type="search" ${text(q, 150, 'sushi in Canggu for 2 tomorrow at 7')}`
  const guests = html`type="number" min="1" value="${party_size}" placeholder="any"`
  const options = categories.map((one) => {
    const selected = one === category && html` selected`
    return html`<option value="${one}"${selected}>${categoryWords[one]}</option>`
  })
  return html`<form class="search" role="search" action="/venues">
${input('q', 'What, where, when', words)}
<p class="field"><label for="category">Kind</label><select id="category" name="category">
<option value="">any</option>${options}</select></p>
${input('area', 'Area or city', html`list="areas" ${text(area, 100, 'any')}`)}
<datalist id="areas">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>
${input('party_size', 'Guests', guests)}
${input('date', 'Date', html`type="date" value="${date}"`)}
${input('time', 'Time', html`type="time" value="${time}"`)}
<button>Search</button></form>`
}

/** The notice for a search outside the areas or kinds of venue that the network covers. */
function uncovered({ place, kinds, nearest, covered }: NonNullable<Interpretation['not_covered']>) {
  const what = [...(place ? [place] : []), ...kinds].join(', ')
  const near = nearest && `${nearest.area}, ${nearest.city}`
  const links = covered.areas.map(
    (area, nth) => html`${nth > 0 && ', '}<a href="${listPath({ area })}">${area}</a>`,
  )
  return html`<strong>We don’t cover ${what}.</strong>${
    near && ` The nearest area is ${near}, ${grouped(nearest.distance_km)} km away.`
  } You can search restaurants, bars, gyms and spas in ${links}.`
}

/** How the search understood the words, and which it ignored. */
function understood(query: Interpretation): Html {
  if (query.not_covered) return html`<p class="notice">${uncovered(query.not_covered)}</p>`
  const dropped = query.dropped.filter(({ length }) => length >= MIN_REPORTED_CHARS)
  const parts = [
    query.category && categoryWords[query.category],
    query.text && `“${query.text}”`,
    query.near ? `near ${query.near}` : query.area && `in ${query.area}`,
    query.party_size && `for ${query.party_size}`,
    query.date,
    query.time,
  ].filter(Boolean)
  const notes = [
    parts.length > 0 && `Searched for: ${parts.join(', ')}.`,
    ...query.corrections.map(({ from, to }) => `Showing results for “${to}” instead of “${from}”.`),
    dropped.length > 0 && `Not used: ${dropped.join(', ')}.`,
    query.price,
    query.hours,
    query.widened,
    query.assumed,
    query.hint,
  ].filter(Boolean)
  return html`<p class="quiet">${notes.join(' ')}</p>`
}

/** The network's cities, or the areas of one city. */
const placeLinks = (places: readonly areas.PublicArea[]): Html => html`
<h2 id="places">Places</h2>
<ul class="places">${places
  .toSorted((one, other) => one.name.localeCompare(other.name))
  .map(
    ({ name, query, venues }) => html`
<li><a href="${listPath({ area: query })}"><bdi>${name}</bdi></a> ${grouped(venues)}</li>`,
  )}</ul>`

/** A venue in the list, with its next times, each linked to the steps for booking it. */
function venueCard(venue: Venue, partySize: string): Html {
  const { slug, name, category, availability, mentions } = venue
  const path = `/venues/${encodeURIComponent(slug)}`
  const party = partySize ? `&party_size=${encodeURIComponent(partySize)}` : ''
  const times = availability.slots.map(({ slot_time, service }) => {
    const [date = '', clock = ''] = slot_time.split('T')
    const time = clock.slice(0, 5)
    const wish = availability.book_with ? `&service=${encodeURIComponent(service)}` : ''
    const href = `${path}?date=${date}${party}&time=${time}${wish}#book`
    return html`<li><a href="${href}">${dateWords(date)}, ${time}</a></li>`
  })
  return html`<li class="venue">${venuePicture(venue)}
<div><h3><a href="${path}">${name}</a></h3>
<p class="kind">${categoryWords[category]} · ${areaWords(venue).join(', ')} ·
${priceHtml(venue.price_level)}${venue.is_demo ? ' · demo' : ''}</p>
<p class="brief">${venue.description}</p>
${mentions && html`<p class="quiet">Only mentions ${mentions.join(', ')}: ask the venue.</p>`}
${
  times.length > 0
    ? html`<ul class="times">${times}</ul>`
    : html`<p class="quiet">Nothing free in the next few days.</p>`
}</div></li>`
}

/** Stands in for a photograph: the name's initial on the category's colour. */
export const venuePicture = (
  { name, category }: Pick<Venue, 'name' | 'category'>,
  place: 'masthead' | '' = '',
): Html => html`
<div class="picture ${category} ${place}" aria-hidden="true">${[...name][0] ?? ''}</div>`

const searchMarkdown = ({ fields, refusal, venues, cursor }: ShownList) =>
  [
    `# ${plain(titleOf(fields))}`,
    '',
    ...(refusal ? [plain(problemWords(refusal)), ''] : []),
    OWN_WORDS,
    '',
    ...venues.map((venue) => {
      const place = plain(areaWords(venue).join(', '))
      const kind = `${categoryWords[venue.category]}, ${place}, ${priceMarkdown(venue.price_level)}`
      const link = `[${plain(venue.name)}](/venues/${venue.slug}.md)`
      return `- ${link}: ${kind}. ${plain(venue.description)}`
    }),
    ...(cursor ? ['', `[More venues](${markdownPath({ ...fields, cursor })})`] : []),
    '',
  ].join('\n')
