import {
  readConnectedVenues,
  readVenuesWithoutChannel,
} from '../../operators/operations/read-health.ts'
import { readVenue } from '../../operators/operations/read-things.ts'
import {
  type ConnectedVenue,
  MAX_VENUES,
  type VenueDetail,
} from '../../operators/store/connected-venues.ts'
import { shortUrl } from '../../webhooks/rules/short-url.ts'
import type { Page } from '../dashboard/page.ts'
import { confirmers } from '../dashboard/pages/booking-facts.ts'
import { type TemporalLinks, temporalLinks, venueQueries } from '../dashboard/temporal-links.ts'
import { withCode } from '../docs/with-code.ts'
import * as ui from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { OPERATORS, showOperators } from './operators-page.ts'

const PATH = `${OPERATORS}/venues`
const FAULT = 'The fault is probably in the venue’s system: tell its operator. '
const HOW_TO_TELL = 'Add one: `npm run venues -- invite SLUG`, then `add-channel`.'
const HOW = 'Connect one with `npm run venues -- connect SLUG --url URL`.'

/** `/dashboard/operators/venues`: venues with their own system, and a page for any venue. */
export const venues: Page = async (scope, { services, config }) => {
  const links = temporalLinks(config)

  scope.get(PATH, async (_, reply) => {
    const rows = await readConnectedVenues(services, new Date())
    const withoutChannel = await readVenuesWithoutChannel(services)
    const none = ui.empty('No venue is connected', withCode(HOW))
    const body = html`
<p>Venues that confirm through a system of their own. The network reads their free slots every
minute. Venues in trouble come first.</p>
${ui.listTable('Connected venues', rows, columns, none)}
${rows.length === MAX_VENUES && ui.note(`The first ${MAX_VENUES} are listed. Find others by slug.`)}
${
  withoutChannel.length > 0 &&
  html`<h2 id="no-channel">Nobody is told</h2>
<p>People confirm at these venues, but no channel tells them of a request.
${withCode(HOW_TO_TELL)}</p>
${ui.listTable('Venues where nobody is told', withoutChannel, withoutChannelColumns)}`
}`
    return showOperators(reply, ['Connected venues', 'Venues'], body)
  })

  scope.get<{ Params: { slug: string } }>(`${PATH}/:slug`, async (request, reply) => {
    const venue = await readVenue(services, request.params.slug, new Date())
    return showOperators(reply, [venue.name, 'Venues'], venueView(venue, links))
  })
}

const health = ({ is_late, failure }: Pick<ConnectedVenue, 'is_late' | 'failure'>): Html =>
  is_late
    ? ui.badge('late', 'bad')
    : failure !== null
      ? ui.badge('failing', 'bad')
      : ui.badge('ok', 'good')

const columns: ui.Columns<ConnectedVenue> = {
  Venue: ({ slug, name }) => ui.rowLink(`${PATH}/${slug}`, name),
  Health: health,
  'Last read': ({ read_at }) => ui.when(read_at),
  Failure: ({ failure }) => failure ?? '–',
  System: ({ url }) => html`<code>${shortUrl(url)}</code>`,
}

const withoutChannelColumns: ui.Columns<
  Awaited<ReturnType<typeof readVenuesWithoutChannel>>[number]
> = {
  Venue: ({ slug, name }) => ui.rowLink(`${PATH}/${slug}`, name),
  People: ({ people }) => people,
}

const venueView = (venue: VenueDetail, links: TemporalLinks | null): Html => html`
${ui.facts([
  ['Venue', ui.copyable(venue.slug)],
  ['Id', ui.copyable(venue.id)],
  ['Area', `${venue.area} (${venue.timezone})`],
  ['Confirmed by', confirmers[venue.confirm_mode]],
  ['System', venue.url && html`<code>${shortUrl(venue.url)}</code>`],
  ['Health', venue.url && health(venue)],
  ['Last read', venue.url && ui.when(venue.read_at)],
  ['Failure', venue.failure],
  ['Live bookings from yesterday on', ui.grouped(venue.live)],
  ['Waiting for the venue', ui.grouped(venue.pending)],
  ['Page', ui.link(`/venues/${venue.slug}`, 'as agents’ users see it')],
])}
${
  links &&
  html`<h2>In the Temporal UI</h2>
<ul class="plain">${Object.entries(venueQueries(venue.slug)).map(
    ([name, query]) => html`<li>${ui.link(links.list(query), name)}</li>`,
  )}</ul>`
}
${venue.url && ui.note(withCode(doSentence(venue)))}`

const doSentence = ({ slug, is_late, failure }: VenueDetail): string =>
  is_late
    ? 'No worker has read it in time. Check that a worker polls the queue `venues`, and that the ' +
      'schedule `mirror` is not paused.'
    : `${failure === null ? '' : FAULT}` +
      `\`npm run venues -- disconnect ${slug}\` returns it to the network’s own inventory.`
