import type { FastifyRequest } from 'fastify'
import { listDeliveries } from '../../../../webhooks/operations/read-deliveries.ts'
import { listEndpoints } from '../../../../webhooks/operations/read-endpoints.ts'
import { eventFilters } from '../../../../webhooks/rules/event-types.ts'
import { shownDeliveryStatuses } from '../../../../webhooks/rules/statuses.ts'
import * as ui from '../../components.ts'
import { textFields, utcInstant, withQuery } from '../../forms.ts'
import { html } from '../../html.ts'
import { deliveryTable, shortUrl } from '../delivery-table.ts'
import { type Page, showPage } from '../page-kit.ts'

const PATH = '/dashboard/deliveries'
const filters = ['endpoint', 'status', 'type', 'event', 'from', 'until', 'cursor'] as const

/** `/dashboard/deliveries`: the deliveries to all endpoints. The first page is live. */
export const deliveries: Page = async (scope, { call }) => {
  scope.get(PATH, async (request, reply) => {
    const { cursor, ...filter } = textFields(request.query, filters)
    const { type, from, until } = filter
    const [{ deliveries, next_cursor }, { endpoints }] = await Promise.all([
      call(request, listDeliveries, deliveryFilter(request)),
      call(request, listEndpoints, {}),
    ])
    const list = deliveryTable(deliveries, new Map(endpoints.map(({ id, url }) => [id, url])))
    const names = endpoints.map(({ id, url }) => [id, shortUrl(url)] as const)
    const body = html`
${ui.filterForm(PATH, [
  ui.choice('Endpoint', 'endpoint', Object.fromEntries([['', 'All'], ...names]), filter.endpoint),
  ui.choice('Status', 'status', ui.anyOf(shownDeliveryStatuses), filter.status),
  ui.choice('Events', 'type', eventOptions, type),
  ui.field('From (UTC)', { name: 'from', type: 'datetime-local', value: from }),
  ui.field('Until (UTC)', { name: 'until', type: 'datetime-local', value: until }),
])}
${
  filter.event &&
  html`<p>Showing one event.
<a href="${withQuery(PATH, { ...filter, event: undefined })}">Show all events</a></p>`
}
${cursor ? list : html`<live-tail src="${withQuery(`${PATH}/tail`, filter)}">${list}</live-tail>`}
${ui.pager(next_cursor, (next) => withQuery(PATH, { ...filter, cursor: next }))}
${
  endpoints.length === 0 &&
  html`<p><a href="/dashboard/webhooks">Create an endpoint</a> to receive events.</p>`
}`
    return showPage(reply, 'Deliveries', body, { scripts: ['live-tail.js'] })
  })
}

/** The options of a filter by type of event. */
export const eventOptions = ui.anyOf(eventFilters.filter((one) => one !== '*'))

/** The query of the list, or of its live tail, as input of the operation. */
export function deliveryFilter(request: FastifyRequest) {
  const { from, until, ...rest } = textFields(request.query, filters)
  return { ...rest, from: utcInstant(from), until: utcInstant(until) }
}
