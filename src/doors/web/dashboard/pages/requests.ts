import type { FastifyInstance } from 'fastify'
import { listRequests, requestDoors } from '../../../../accounts/operations/list-requests.ts'
import { listKeys } from '../../../../accounts/operations/read-keys.ts'
import type { ApiKey } from '../../../../accounts/schema/keys.ts'
import type { LoggedCall } from '../../../../accounts/schema/usage.ts'
import { followFeed } from '../../../../agents/operations/follow-feed.ts'
import { catalogue } from '../../../../catalogue.ts'
import { errorCatalogue } from '../../../../contract/rules/error-catalogue.ts'
import { badge } from '../../components/badge.ts'
import { anyOf, choice, field, filterForm } from '../../components/form.ts'
import { empty, pager } from '../../components/list.ts'
import { table } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { address, given, utcInstant } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'

const PATH = '/dashboard/requests'

/** `/dashboard/requests`: what the keys of the account asked for in the last days, and what was answered. */
export async function requests(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const { cursor, ...filter } = given(request.query, [...requestFilters, 'cursor'])
    const from = utcInstant(filter.from)
    const until = utcInstant(filter.until)
    const [page, { keys }] = await Promise.all([
      call(request, listRequests, {
        ...filter,
        ...(from && { from }),
        ...(until && { until }),
        ...(cursor && { cursor }),
        limit: 50,
      }),
      call(request, listKeys, { limit: 100 }),
    ])
    const body = requestsView(page, filter, keys)
    return sendPage(reply, dashboardPage(request, { title: 'Requests', section: 'requests', body }))
  })
}

/** What narrows the list, as it stands in the address. */
const requestFilters = ['code', 'door', 'operation', 'key', 'from', 'until'] as const
type Filter = { [name in (typeof requestFilters)[number]]?: string }

const codes = ['ok', 'refused', ...Object.keys(errorCatalogue).toSorted()]
const operations = [
  ...catalogue.map(({ operation }) => operation.name),
  followFeed.name,
  'unknown',
].toSorted()

/** A page of requests under the filter that chose them. */
function requestsView(
  page: { requests: readonly LoggedCall[]; next_cursor: string | null },
  filter: Filter,
  keys: readonly ApiKey[],
): Html {
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return html`
<p>API requests of the last 7 days. Dashboard activity is not included.</p>
${filterForm(PATH, [
  choice('Answer', 'code', anyOf('All', codes), filter.code),
  choice('Door', 'door', anyOf('All', requestDoors), filter.door),
  choice('Operation', 'operation', anyOf('All', operations), filter.operation),
  choice('Key', 'key', { '': 'All', ...Object.fromEntries(names) }, filter.key),
  field('From (UTC)', { name: 'from', type: 'datetime-local', value: filter.from ?? '' }),
  field('Until (UTC)', { name: 'until', type: 'datetime-local', value: filter.until ?? '' }),
])}
${
  page.requests.length === 0
    ? none(filter)
    : table(
        ['When', 'Door', 'Operation', 'Answer', 'ms', 'Caller', 'Request id'],
        page.requests.map((one) => row(one, names)),
        'Requests',
      )
}
${pager(page.next_cursor, (cursor) => address(PATH, { ...filter, cursor }))}`
}

const none = (filter: Filter): Html =>
  Object.keys(filter).length > 0
    ? empty('No request matches', 'Try other filters.')
    : empty(
        'No requests yet',
        'Requests with your keys appear here within seconds.',
        html`<p><a href="/dashboard">Send your first request</a></p>`,
      )

const row = (call: LoggedCall, names: ReadonlyMap<string, string>) => [
  when(call.at),
  call.door,
  call.operation,
  answerOf(call),
  call.ms,
  html`${keyOf(call, names)}${call.from === null ? '' : html` <span class="quiet">${call.from}</span>`}`,
  html`<code>${call.request_id}</code>`,
]

const answerOf = ({ code, calls }: LoggedCall): Html => {
  const times = calls > 1 ? html` <span class="quiet">× ${calls}</span>` : ''
  return code === 'ok'
    ? html`${badge('ok', 'good')}${times}`
    : html`<a href="/errors#${code}">${badge(code, 'bad')}</a>${times}`
}

const keyOf = ({ key_id }: LoggedCall, names: ReadonlyMap<string, string>): Html =>
  key_id === null
    ? html``
    : html`<a href="/dashboard/keys/${key_id}">${names.get(key_id) ?? key_id.slice(0, 8)}</a>`
