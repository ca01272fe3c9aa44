import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listDeliveries } from '../../../../webhooks/operations/read-deliveries.ts'
import { listEndpoints } from '../../../../webhooks/operations/read-endpoints.ts'
import { eventFilters } from '../../../../webhooks/rules/event-types.ts'
import { shownDeliveryStatuses } from '../../../../webhooks/rules/statuses.ts'
import type { Delivery } from '../../../../webhooks/schema/deliveries.ts'
import { anyOf, choice, field, filterForm } from '../../components/form.ts'
import { pager } from '../../components/list.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { address, given, utcInstant } from '../../query.ts'
import { type Addresses, deliveryTable, shortAddress } from '../delivery-table.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'

const PATH = '/dashboard/deliveries'
const names = ['endpoint', 'status', 'type', 'event', 'from', 'until'] as const
type Filter = { [name in (typeof names)[number]]?: string }

/** `/dashboard/deliveries`: what endpoints were sent and what waits, as it happens. */
export async function deliveries(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const filter = given(request.query, names)
    const [page, { endpoints }] = await Promise.all([
      call(request, listDeliveries, deliveryFilter(request)),
      call(request, listEndpoints, {}),
    ])
    const { cursor } = given(request.query, ['cursor'])
    const addresses = new Map(endpoints.map(({ id, url }) => [id, url]))
    const body = deliveriesView(page, { filter, addresses, isFirst: cursor === undefined })
    const view = { title: 'Deliveries', section: 'deliveries', body } as const
    return sendPage(reply, dashboardPage(request, { ...view, scripts: ['live-tail.js'] }))
  })
}

/** What the address of the list, or of its live tail, asks for, in the words of the operation. */
export function deliveryFilter(request: FastifyRequest): Record<string, unknown> {
  const { from, until, ...rest } = given(request.query, [...names, 'cursor'])
  const times = {
    ...(from && { from: utcInstant(from) }),
    ...(until && { until: utcInstant(until) }),
  }
  return { ...rest, ...times }
}

type Shown = { filter: Filter; addresses: Addresses; isFirst: boolean }

/** A page of deliveries under its filter; the first page goes on by itself where scripts run. */
function deliveriesView(
  page: { deliveries: readonly Delivery[]; next_cursor: string | null },
  { filter, addresses, isFirst }: Shown,
): Html {
  const list = deliveryTable(page.deliveries, addresses)
  const endpoints = [...addresses].map(([id, url]) => [id, shortAddress(url)] as const)
  return html`
${filterForm(PATH, [
  choice('Endpoint', 'endpoint', Object.fromEntries([['', 'All'], ...endpoints]), filter.endpoint),
  choice('Status', 'status', anyOf('All', shownDeliveryStatuses), filter.status),
  choice(
    'Events',
    'type',
    anyOf(
      'All',
      eventFilters.filter((one) => one !== '*'),
    ),
    filter.type,
  ),
  field('From (UTC)', { name: 'from', type: 'datetime-local', value: filter.from ?? '' }),
  field('Until (UTC)', { name: 'until', type: 'datetime-local', value: filter.until ?? '' }),
])}
${filter.event === undefined ? '' : html`<p>Showing one event. <a href="${address(PATH, { ...filter, event: undefined })}">Show all events</a></p>`}
${isFirst ? html`<live-tail src="${address(`${PATH}/tail`, filter)}">${list}</live-tail>` : list}
${pager(page.next_cursor, (cursor) => address(PATH, { ...filter, cursor }))}
${addresses.size === 0 ? html`<p><a href="/dashboard/webhooks">Create an endpoint</a> to receive events.</p>` : ''}`
}
