import { getRequest } from '../../../../accounts/operations/get-request.ts'
import {
  listRequests,
  requestDoors,
  statusClasses,
} from '../../../../accounts/operations/list-requests.ts'
import { listKeys } from '../../../../accounts/operations/read-keys.ts'
import { changeRecording, readRecording } from '../../../../accounts/operations/recording.ts'
import { followFeed } from '../../../../agents/operations/follow-feed.ts'
import { catalogue } from '../../../../catalogue.ts'
import { errorCatalogue } from '../../../../contract/rules/error-catalogue.ts'
import * as ui from '../../components.ts'
import { doneNotice, textFields, utcInstant, withQuery } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { callRows } from '../call-rows.ts'
import { type Page, redirectDone, showPage, unlessRefused } from '../page-kit.ts'
import { noneOf } from './bookings.ts'

const PATH = '/dashboard/requests'
const rareFilters = ['operation', 'from', 'until'] as const
const filters = ['status', 'code', 'door', 'key', 'booking', ...rareFilters, 'cursor'] as const

const codes = ui.anyOf(['ok', 'refused', ...Object.keys(errorCatalogue).toSorted()])
const names = catalogue.map(({ operation }) => operation.name)
const operations = ui.anyOf([...names, followFeed.name, 'unknown'].toSorted())
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

const done = {
  on: 'Bodies are recorded from now on.',
  off: 'Bodies are no longer recorded, and those that were are erased.',
}

/** `/dashboard/requests`: the requests of the last days with the account's keys. */
export const requests: Page = async (scope, { call }) => {
  scope.get(PATH, async (request, reply) => {
    const { find } = textFields(request.query, ['find'])
    const id = find && uuid.exec(find)?.[0].toLowerCase()
    if (id) {
      const isRequest = await unlessRefused(call(request, getRequest, { id }), 'request_not_found')
      return reply.redirect(isRequest ? `${PATH}/${id}` : withQuery(PATH, { booking: id }), 303)
    }
    const { cursor, ...filter } = textFields(request.query, filters)
    const { from, until } = filter
    const times = { from: utcInstant(from), until: utcInstant(until) }
    const [{ requests, next_cursor }, { keys }, { bodies }] = await Promise.all([
      call(request, listRequests, { ...filter, ...times, cursor, limit: 50 }),
      call(request, listKeys, { limit: 100 }),
      call(request, readRecording, {}),
    ])
    const keyNames = new Map(keys.map(({ id, name }) => [id, name]))
    const body = html`
<p>API requests of the last 7 days. Dashboard activity is not included.</p>
${findForm(find)}
${filterForm(filter, { '': 'All', ...Object.fromEntries(keyNames) })}
${filter.booking && aboutBooking(filter.booking)}
${requests.length === 0 ? noneOf('request', filter, NONE) : callRows(requests, keyNames)}
${ui.pager(next_cursor, (next) => withQuery(PATH, { ...filter, cursor: next }))}
${recordingView(bodies)}`
    const notice = doneNotice(request, done, { on: bodies, off: !bodies })
    return showPage(reply, 'Requests', body, { notice, styles: ['requests.css'] })
  })

  scope.post(`${PATH}/recording`, async (request, reply) => {
    const { bodies } = textFields(request.body, ['bodies'])
    const isOn = bodies === 'on'
    await call(request, changeRecording, { bodies: isOn })
    return redirectDone(reply, PATH, isOn ? 'on' : 'off')
  })
}

const NONE = 'Requests with your keys appear here within seconds.'

const findForm = (wrong: string | undefined): Html => html`
<form class="find" method="get" action="${PATH}">
${ui.field('Request or booking id', { name: 'find', value: wrong, placeholder: 'X-Request-Id' })}
<button>Find</button></form>
${ui.alert(wrong && 'Paste the whole id, such as the request_id of an error.')}`

type Filter = { [name in (typeof filters)[number]]?: string }

function filterForm(filter: Filter, keyOptions: Record<string, string>): Html {
  const { booking, status, code, door, operation, key, from, until } = filter
  const isOpen = rareFilters.some((name) => filter[name])
  return ui.filterForm(PATH, [
    booking ? ui.hidden('booking', booking) : html``,
    ui.choice('Status', 'status', ui.anyOf(statusClasses), status),
    ui.choice('Result', 'code', codes, code),
    ui.choice('Interface', 'door', ui.anyOf(requestDoors), door),
    ui.choice('Key', 'key', keyOptions, key),
    html`<details${isOpen && html` open`}><summary>More filters</summary>
${ui.choice('Operation', 'operation', operations, operation)}
${ui.field('From (UTC)', { name: 'from', type: 'datetime-local', value: from })}
${ui.field('Until (UTC)', { name: 'until', type: 'datetime-local', value: until })}</details>`,
  ])
}

const aboutBooking = (id: string): Html => html`
<p>Requests about ${ui.link(`/dashboard/bookings/${id}`, html`booking <code>${id}</code>`)}.
${ui.link(PATH, 'Show all')}</p>`

const recordingView = (isOn: boolean): Html => html`
<section class="card"><h2>Bodies</h2>
<p>${
  isOn
    ? html`Request and answer bodies are recorded without secrets and guests’ details, and erased
after 7 days.`
    : html`Bodies are not recorded: requests are listed without what they sent and got.`
}</p>
${ui.actionForm(`${PATH}/recording`, isOn ? 'Stop, and erase what is recorded' : 'Record bodies', {
  more: ui.hidden('bodies', isOn ? 'off' : 'on'),
})}</section>`
