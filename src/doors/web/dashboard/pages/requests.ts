import { listRequests, requestDoors } from '../../../../accounts/operations/list-requests.ts'
import { listKeys } from '../../../../accounts/operations/read-keys.ts'
import type { LoggedCall } from '../../../../accounts/schema/usage.ts'
import { followFeed } from '../../../../agents/operations/follow-feed.ts'
import { catalogue } from '../../../../catalogue.ts'
import { errorCatalogue } from '../../../../contract/rules/error-catalogue.ts'
import * as ui from '../../components.ts'
import { textFields, withQuery } from '../../forms.ts'
import { html } from '../../html.ts'
import { durationText } from '../../times.ts'
import { amount } from '../amount.ts'
import { type Page, showPage } from '../page-kit.ts'
import { timeFilters, zonedInstant } from '../reader-zone.ts'
import { noneOf } from './bookings.ts'
import { exportLink } from './exports.ts'

const PATH = '/dashboard/requests'
const filters = ['code', 'door', 'operation', 'key', 'from', 'until', 'cursor'] as const

const codes = ui.anyOf(['ok', 'refused', ...Object.keys(errorCatalogue).toSorted()])
const names = catalogue.map(({ operation }) => operation.name)
const operations = ui.anyOf([...names, followFeed.name, 'unknown'].toSorted())

/** `/dashboard/requests`: the requests of the last days with the account's keys. */
export const requests: Page = async (scope, { call }) => {
  scope.get(PATH, async (request, reply) => {
    const { cursor, ...filter } = textFields(request.query, filters)
    const { from, until } = filter
    const times = { from: zonedInstant(request, from), until: zonedInstant(request, until) }
    const [{ requests, next_cursor }, { keys }] = await Promise.all([
      call(request, listRequests, { ...filter, ...times, cursor, limit: 50 }),
      call(request, listKeys, { limit: 100 }),
    ])
    const keyNames = new Map(keys.map(({ id, name }) => [id, name]))
    const keyOptions = { '': 'All', ...Object.fromEntries(keyNames) }
    const none = noneOf('request', filter, 'Requests with your keys appear here within seconds.')
    const body = html`
<p>API requests of the last 7 days. Dashboard activity is not included.</p>
${ui.filterForm(PATH, [
  ui.choice('Result', 'code', codes, filter.code),
  ui.choice('Interface', 'door', ui.anyOf(requestDoors), filter.door),
  ui.choice('Operation', 'operation', operations, filter.operation),
  ui.choice('Key', 'key', keyOptions, filter.key),
  ...timeFilters(request, { from, until, daysBack: 7 }),
])}
${ui.listTable('Requests', requests, columns(keyNames), none)}
${requests.length > 0 && exportLink('requests', filter)}
${ui.pager(next_cursor, (next) => withQuery(PATH, { ...filter, cursor: next }))}`
    return showPage(reply, 'Requests', body)
  })
}

const errorLink = (code: string) => ui.link(`/errors#${code}`, ui.badge(code, 'bad'))

const columns = (keyNames: ReadonlyMap<string, string>): ui.Columns<LoggedCall> => ({
  When: ({ at }) => ui.when(at),
  Interface: ({ door }) => door,
  Operation: ({ operation }) => operation,
  Result: ({ code, calls }) =>
    html`${code === 'ok' ? ui.badge(code, 'good') : errorLink(code)}
${calls > 1 && ui.quiet(`× ${calls}`)}`,
  Took: ({ ms }) => amount(durationText(ms)),
  Caller: ({ key_id, from }) => {
    const name = key_id && (keyNames.get(key_id) ?? key_id.slice(0, 8))
    return html`${name && ui.link(`/dashboard/keys/${key_id}`, name)}
${from !== null && ui.quiet(from)}`
  },
  'Request id': ({ request_id }) => html`<code>${request_id}</code>`,
})
