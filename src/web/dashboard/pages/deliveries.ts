import { listDeliveries } from '../../../webhooks/operations/read-deliveries.ts'
import { listEndpoints } from '../../../webhooks/operations/read-endpoints.ts'
import { retryDeliveries } from '../../../webhooks/operations/retry-deliveries.ts'
import { eventFilters } from '../../../webhooks/rules/event-types.ts'
import { shortUrl } from '../../../webhooks/rules/short-url.ts'
import { deliveryFilters } from '../../../webhooks/rules/statuses.ts'
import type { Delivery } from '../../../webhooks/schema/deliveries.ts'
import * as ui from '../../page/components.ts'
import { listFilters } from '../../page/filters.ts'
import { checkedValues, doneNotice, textFields, withQuery } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { deliveryTable } from '../delivery-table.ts'
import { type Page, showPage } from '../page.ts'
import { timeFilters, zonedTimes } from '../reader-zone.ts'
import { exportLink } from './exports.ts'

const PATH = '/dashboard/deliveries'
const filters = ['endpoint', 'status', 'type', 'event', 'from', 'until', 'cursor'] as const

const notices = {
  retried: 'The selected deliveries are due now. Their statuses change as they are sent.',
  none: 'Select deliveries first.',
}

/** `/dashboard/deliveries`: the deliveries to all endpoints. The first page updates itself. */
export const deliveries: Page = async (scope, { call, config }) => {
  scope.get(PATH, async (request, reply) => {
    const { cursor, ...filter } = textFields(request.query, filters)
    const [{ deliveries, next_cursor }, { endpoints }] = await Promise.all([
      call(request, listDeliveries, { ...filter, ...zonedTimes(request, filter), cursor }),
      call(request, listEndpoints, {}),
    ])
    const urls = new Map(endpoints.map(({ id, url }) => [id, url]))
    const list = deliveryTable(deliveries, urls, true)
    const names = endpoints.map(({ id, url }) => [id, shortUrl(url)] as const)
    const body = html`
${listFilters(PATH, filter, [
  { label: 'Endpoint', name: 'endpoint', options: Object.fromEntries([['', 'All'], ...names]) },
  { label: 'Status', name: 'status', options: ui.anyOf(deliveryFilters) },
  { label: 'Events', name: 'type', options: eventOptions },
  ...timeFilters(request, { ...filter, daysBack: config.WEBHOOK_RETENTION_DAYS }),
  ...(filter.event ? [{ label: 'Event', name: 'event', isHidden: true }] : []),
])}
${
  endpoints.length + deliveries.length === 0
    ? noEndpoints
    : html`
<form method="post" action="${withQuery(`${PATH}/retry`, { ...filter, cursor })}">${ui.formId()}
${cursor ? list : liveList(deliveries, list)}
${deliveries.length > 0 && html`<p><button>Retry selected</button></p>`}</form>`
}
${deliveries.length > 0 && exportLink('deliveries', filter)}
${ui.pager(next_cursor, (next) => withQuery(PATH, { ...filter, cursor: next }))}
`
    const notice = doneNotice(request, notices)
    return showPage(reply, 'Deliveries', body, { scripts: ['live-view.js'], notice })
  })

  scope.post(`${PATH}/retry`, async (request, reply) => {
    const back = textFields(request.query, filters)
    const ids = checkedValues(request.body, 'deliveries')
    if (ids.length > 0) await call(request, retryDeliveries, { deliveries: ids })
    const word = ids.length > 0 ? 'retried' : 'none'
    return reply.redirect(withQuery(PATH, { ...back, done: word }), 303)
  })
}

const SECONDS_TO_NEXT_LOOK = 1

function liveList(deliveries: readonly Delivery[], list: Html): Html {
  const changes = deliveries.map(({ updated_at }) => updated_at).toSorted()
  const version = [deliveries[0]?.id, deliveries.length, changes.at(-1)].join(' ')
  return html`
<live-view data-version="${version}" data-seconds="${SECONDS_TO_NEXT_LOOK}">${list}</live-view>`
}

const noEndpoints = ui.empty(
  'No endpoints yet',
  'Deliveries appear here once an endpoint receives events.',
  ui.linkButton('/dashboard/webhooks', 'Create an endpoint'),
)

/** The options of an event type filter. */
export const eventOptions = ui.anyOf(eventFilters.filter((one) => one !== '*'))
