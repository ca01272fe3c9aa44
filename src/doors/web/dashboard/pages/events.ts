import type { FastifyInstance } from 'fastify'
import { refuse } from '../../../../contract/rules/errors.ts'
import { listDeliveries } from '../../../../webhooks/operations/read-deliveries.ts'
import { listEndpoints } from '../../../../webhooks/operations/read-endpoints.ts'
import { listEvents } from '../../../../webhooks/operations/read-events.ts'
import { recentEvents } from '../../../../webhooks/operations/recent-events.ts'
import { eventFilters } from '../../../../webhooks/rules/event-types.ts'
import type { Delivery } from '../../../../webhooks/schema/deliveries.ts'
import type { Event } from '../../../../webhooks/schema/events.ts'
import { codeBlock, copyable, jsonText } from '../../components/code.ts'
import { anyOf, choice, filterForm } from '../../components/form.ts'
import { empty, pager } from '../../components/list.ts'
import { facts, table } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { address, given } from '../../query.ts'
import { type Addresses, deliveryTable } from '../delivery-table.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'

const PATH = '/dashboard/events'
const section = 'events'

/** `/dashboard/events`: the ledger of the account, newest first, and one event as it was written. */
export async function events(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const { types, before } = given(request.query, ['types', 'before'])
    const page = await call(request, recentEvents, {
      ...(types && { types }),
      ...(before && { before: Number(before) }),
    })
    const body = eventsView(page, types)
    return sendPage(reply, dashboardPage(request, { title: 'Events', section, body }))
  })

  scope.get<{ Params: { number: string } }>(`${PATH}/:number`, async (request, reply) => {
    const number = Number(request.params.number)
    if (!Number.isSafeInteger(number) || number < 1) throw refuse('event_not_found')
    const { events } = await call(request, listEvents, { after: number - 1, limit: 1 })
    const [event] = events
    if (event?.number !== number) throw refuse('event_not_found')
    const [{ deliveries }, { endpoints }] = await Promise.all([
      call(request, listDeliveries, { event: event.id, limit: 100 }),
      call(request, listEndpoints, {}),
    ])
    const body = eventView(event, deliveries, new Map(endpoints.map(({ id, url }) => [id, url])))
    const view = { title: `Event ${number}`, section, body } as const
    return sendPage(reply, dashboardPage(request, view))
  })
}

type Page = { events: readonly Event[]; next_before: number | null }

/** A page of the ledger. Under a rare filter one may be empty and yet have others behind it. */
function eventsView({ events, next_before }: Page, types: string | undefined): Html {
  const cursor = next_before === null ? null : String(next_before)
  return html`
<p><a href="${PATH}/types">Event catalogue</a></p>
${filterForm(PATH, [
  choice(
    'Types',
    'types',
    anyOf(
      'All',
      eventFilters.filter((one) => one !== '*'),
    ),
    types,
  ),
])}
${events.length === 0 ? none(types, cursor) : table(['Number', 'Type', 'About', 'When'], events.map(row), 'Events')}
${pager(cursor, (before) => address(PATH, { types, before }))}`
}

const none = (types: string | undefined, cursor: string | null): Html => {
  if (cursor !== null)
    return html`<p>No matches on this page. Older events are on the next page.</p>`
  return types === undefined
    ? empty('No events yet', 'Everything that happens to your bookings appears here, in order.')
    : empty('No event of these types', 'Try other types.')
}

const row = (event: Event) => [
  html`<a href="${PATH}/${event.number}">${event.number}</a>`,
  html`<code>${event.type}</code>`,
  about(event),
  when(event.timestamp),
]

/** Where the thing that an event is about has its page. */
function about({ data }: Event): Html {
  const { booking, booking_id, endpoint_id } = data as Record<string, unknown>
  const id = (booking as { id?: unknown } | undefined)?.id ?? booking_id
  if (typeof id === 'string')
    return html`<a href="/dashboard/bookings/${encodeURIComponent(id)}">booking</a>`
  return typeof endpoint_id === 'string'
    ? html`<a href="/dashboard/webhooks/${encodeURIComponent(endpoint_id)}">endpoint</a>`
    : html`<span class="quiet">–</span>`
}

/** One event: what it says, and whom it was put up for. */
const eventView = (
  event: Event,
  deliveries: readonly Delivery[],
  addresses: Addresses,
): Html => html`
${facts([
  [
    'Type',
    html`<a href="${PATH}/types/${encodeURIComponent(event.type)}"><code>${event.type}</code></a>`,
  ],
  ['webhook-id', copyable(event.id)],
  ['When', when(event.timestamp)],
  ['About', about(event)],
])}
<h2>Data</h2>
${codeBlock(jsonText(event.data), 'Data of the event')}
<h2>Deliveries</h2>
${deliveryTable(deliveries, addresses)}
<p>${event.number > 1 ? html`<a href="${PATH}/${event.number - 1}">Previous event</a> · ` : ''}<a href="${PATH}">All events</a></p>`
