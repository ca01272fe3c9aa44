import type { FastifyInstance } from 'fastify'
import type { Services } from '../../../contract/operation.ts'
import type { Interpretation, Venue } from '../../../contract/public.ts'
import { errorCatalogue } from '../../../contract/rules/error-catalogue.ts'
import type { RefusalData } from '../../../contract/rules/errors.ts'
import { categories } from '../../../contract/rules/venue-kinds.ts'
import {
  type PublicArea,
  readAreaNames,
  readAreasWithin,
  readNetworkSize,
} from '../../../venues/operations/public-areas.ts'
import { refusalHeaders } from '../../refusal-headers.ts'
import { type Html, html } from '../html.ts'
import type { MapPoint } from '../map/labels.ts'
import { drawMap } from '../map/map.ts'
import { publicPage } from '../page.ts'
import { problemWords } from '../problem-words.ts'
import type { CallOpen } from './call-open.ts'
import { plain } from './markdown.ts'
import { type Filled, filledIn, findVenues, listPath } from './search-query.ts'
import { sendTwin } from './send-document.ts'
import { venueCard } from './venue-card.ts'
import { categoryWords, priceMark } from './venue-text.ts'

const MOST_NAMES = 100

export type PublicDeps = { services: Services; call: CallOpen; publicUrl: string }

/** `/venues`: the search of the agents for people, with a map; its twin in Markdown. */
export async function searchPage(
  scope: FastifyInstance,
  { services, call, publicUrl }: PublicDeps,
) {
  for (const path of ['/venues', '/venues.md']) {
    scope.get(path, async (request, reply) => {
      const filled = filledIn(request)
      const answer = await findVenues(call, request, reply, filled)
      if (answer.refusal) {
        const { code } = answer.refusal
        reply.code(errorCatalogue[code].status).headers(refusalHeaders(answer.refusal))
      }
      const [places, names, { venues: total }] = await Promise.all([
        filled.q ? [] : readAreasWithin(services, filled.area || undefined),
        readAreaNames(services, MOST_NAMES),
        readNetworkSize(services),
      ])
      const found = { venues: [], next_cursor: null, ...answer.output }
      const shown = { filled, names, places, total, refusal: answer.refusal, ...found }
      const about = {
        canonical: `${publicUrl}${listPath({ area: filled.area, category: filled.category })}`,
      }
      const markdown = listPath(filled).replace('/venues', '/venues.md')
      return sendTwin(
        request,
        reply,
        {
          html: () => publicPage(titleOf(filled), searchView(shown), { ...about, markdown }),
          markdown: () => searchMarkdown(shown),
        },
        { isMarkdown: path.endsWith('.md') },
      )
    })
  }
}

/** Nobody wonders that an "in" or a "for" was not searched for. */
const SHORTEST_TOLD = 4

/** What the list shows: the form as it was filled in, what was found, and where. */
export type ShownList = {
  filled: Filled
  names: readonly string[]
  places: readonly PublicArea[]
  total: number
  refusal: RefusalData | undefined
  venues: readonly Venue[]
  interpretation?: Interpretation
  next_cursor: string | null
}

/** What the list is called. */
function titleOf({ q, category, area }: Filled): string {
  if (q) return `Venues for “${q}”`
  const kind = categories.find((one) => one === category)
  return `${kind ? `${categoryWords[kind]} venues` : 'Venues'}${area ? ` in ${area}` : ''}`
}

/** The list as a page. */
const searchView = ({ filled, names, places, total, refusal, ...found }: ShownList) => html`
<h1>${titleOf(filled)}</h1>
${form(filled, names)}
${refusal ? html`<p role="alert" class="notice bad">${problemWords(refusal)}</p>` : ''}
${found.interpretation ? understood(found.interpretation) : ''}
${map(places, found.venues)}
<h2>${headOf(filled, found.venues.length, total)}</h2>
<ul class="cards">${found.venues.map((venue) => venueCard(venue, filled.party_size))}</ul>
${found.next_cursor ? html`<p><a rel="next" href="${listPath({ ...filled, cursor: found.next_cursor })}">More venues</a></p>` : ''}
<p class="quiet">Agents use <code>GET /api/venues/search</code>. See <a href="/docs/public-pages">what you can read without a key</a>.</p>`

function headOf(filled: Filled, found: number, total: number): string {
  if (found === 0) return 'No venues found'
  if (filled.cursor) return 'More venues'
  const isAll = Object.values(filled).every((value) => value === '')
  return isAll ? `${total.toLocaleString('en')} venues` : 'Results'
}

function form(
  { q, category, area, party_size, date, time }: Filled,
  names: readonly string[],
): Html {
  const input = (name: string, label: string, attributes: Html) =>
    html`<p class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" ${attributes}></p>`
  return html`<form class="search" role="search" action="/venues">
${input('q', 'What, where, when', html`type="search" value="${q}" maxlength="150" placeholder="sushi in Canggu for 2 tomorrow at 7"`)}
<p class="field"><label for="category">Kind</label><select id="category" name="category"><option value="">any</option>${categories.map(
    (one) =>
      html`<option value="${one}"${one === category ? html` selected` : ''}>${categoryWords[one]}</option>`,
  )}</select></p>
${input('area', 'Area or city', html`list="areas" value="${area}" maxlength="100" placeholder="any"`)}
<datalist id="areas">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>
${input('party_size', 'Guests', html`type="number" min="1" value="${party_size}" placeholder="any"`)}
${input('date', 'Date', html`type="date" value="${date}"`)}
${input('time', 'Time', html`type="time" value="${time}"`)}
<button>Search</button></form>`
}

/** What search made of the words, and what it could not use: nobody is left to guess. */
function understood(said: Interpretation): Html {
  const dropped = said.dropped.filter(({ length }) => length >= SHORTEST_TOLD)
  const parts = [
    said.category && categoryWords[said.category],
    said.text && `“${said.text}”`,
    said.near ? `near ${said.near}` : said.area && `in ${said.area}`,
    said.party_size && `for ${said.party_size}`,
    said.date,
    said.time,
  ].filter((part) => part !== null && part !== '')
  const notes = [
    ...said.corrections.map(({ from, to }) => `Showing results for “${to}” instead of “${from}”.`),
    dropped.length > 0 && `Not used: ${dropped.join(', ')}.`,
    said.widened,
    said.assumed,
    said.hint,
  ].filter((note) => typeof note === 'string')
  return html`<p class="quiet">${parts.length > 0 ? `Searched for: ${parts.join(', ')}. ` : ''}${notes.join(' ')}</p>`
}

function map(places: readonly PublicArea[], venues: readonly Venue[]): Html {
  const most = Math.max(...places.map(({ venues }) => venues))
  const points: MapPoint[] =
    places.length > 0
      ? places.map((place) => ({
          ...place,
          weight: place.venues / most,
          href: listPath({ area: place.query }),
        }))
      : venues.map((venue) => ({ ...venue, weight: 0, href: `/venues/${venue.slug}` }))
  return drawMap(points, places.length > 0 ? 'Map of places with venues' : 'Map of these venues')
}

/** The list in Markdown. */
const searchMarkdown = ({ filled, refusal, venues, next_cursor }: ShownList) =>
  [
    `# ${plain(titleOf(filled))}`,
    '',
    ...(refusal ? [plain(problemWords(refusal)), ''] : []),
    ...venues.map(
      ({ name, slug, category, area, city, price_level, description }) =>
        `- [${plain(name)}](/venues/${slug}.md): ${categoryWords[category]}, ${plain(area)}, ${plain(city)}, ${priceMark(price_level).replaceAll('$', '\\$')}. ${plain(description)}`,
    ),
    ...(next_cursor
      ? [
          '',
          `[More venues](${listPath({ ...filled, cursor: next_cursor }).replace('/venues', '/venues.md')})`,
        ]
      : []),
    '',
  ].join('\n')
