import type { FastifyRequest } from 'fastify'
import { getRequest } from '../../../accounts/operations/get-request.ts'
import {
  listRequests,
  requestDoors,
  statusClasses,
} from '../../../accounts/operations/list-requests.ts'
import { listKeys } from '../../../accounts/operations/read-keys.ts'
import { changeRecording, readRecording } from '../../../accounts/operations/recording.ts'
import { followFeed } from '../../../agents/operations/follow-feed.ts'
import { errorCatalogue } from '../../../base/error-catalogue.ts'
import { catalogue } from '../../../network.ts'
import * as ui from '../../page/components.ts'
import { listFilters } from '../../page/filters.ts'
import { doneNotice, textFields, withQuery } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { callRows } from '../call-rows.ts'
import { askFirst, type Page, redirectDone, showPage, unlessRefused } from '../page.ts'
import { timeFilters, zonedTimes } from '../reader-zone.ts'
import { noneOf, startLink } from './bookings.ts'
import { exportLink } from './exports.ts'

const PATH = '/dashboard/requests'
const filters = [
  ...(['status', 'code', 'door', 'key', 'operation', 'booking'] as const),
  ...(['from', 'until', 'cursor'] as const),
] as const

const codes = ui.anyOf(['ok', 'refused', ...Object.keys(errorCatalogue).toSorted()])
const names = catalogue.map(({ operation }) => operation.name)
const operations = ui.anyOf([...names, followFeed.name, 'unknown'].toSorted())
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

const notices = {
  on: 'Bodies are recorded from now on.',
  off: 'Recording stopped. All recorded bodies were erased.',
}

/** `/dashboard/requests`: recent requests made with the account's keys. */
export const requests: Page = async (scope, { call }) => {
  scope.get(PATH, async (request, reply) => {
    const { find } = textFields(request.query, ['find'])
    const id = find && uuid.exec(find)?.[0].toLowerCase()
    if (id) {
      const isRequest = await unlessRefused(call(request, getRequest, { id }), 'request_not_found')
      return reply.redirect(isRequest ? `${PATH}/${id}` : withQuery(PATH, { booking: id }), 303)
    }
    const { cursor, ...filter } = textFields(request.query, filters)
    const [{ requests, next_cursor }, { keys }, { bodies }] = await Promise.all([
      call(request, listRequests, { ...filter, ...zonedTimes(request, filter), cursor, limit: 50 }),
      call(request, listKeys, { limit: 100 }),
      call(request, readRecording, {}),
    ])
    const keyNames = new Map(keys.map(({ id, name }) => [id, name]))
    const body = html`
<p>API requests of the last 7 days. Dashboard activity is not included.</p>
${findForm(find)}
${filterForm(request, filter, { '': 'All', ...Object.fromEntries(keyNames) })}
${filter.booking && aboutBooking(filter.booking)}
${requests.length === 0 ? noneOf('request', filter, NONE, startLink) : callRows(requests, keyNames)}
${requests.length > 0 && exportLink('requests', filter)}
${ui.pager(next_cursor, (next) => withQuery(PATH, { ...filter, cursor: next }))}
${recordingView(bodies)}`
    const notice = doneNotice(request, notices, { on: bodies, off: !bodies })
    return showPage(reply, 'Requests', body, { notice, styles: ['requests.css'] })
  })

  scope.post(`${PATH}/recording`, async (request, reply) => {
    const { bodies } = textFields(request.body, ['bodies'])
    const isOn = bodies === 'on'
    const subject = () => call(request, readRecording, {})
    if (!isOn && (await askFirst(reply, eraseQuestion, subject))) return reply
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

function filterForm(request: FastifyRequest, filter: Filter, keyOptions: Record<string, string>) {
  return listFilters(PATH, filter, [
    ...(filter.booking ? [{ label: 'Booking', name: 'booking', isHidden: true }] : []),
    { label: 'Status', name: 'status', options: ui.anyOf(statusClasses) },
    { label: 'Result', name: 'code', options: codes },
    { label: 'Interface', name: 'door', options: ui.anyOf(requestDoors) },
    { label: 'Key', name: 'key', options: keyOptions },
    { label: 'Operation', name: 'operation', options: operations },
    ...timeFilters(request, { ...filter, daysBack: 7 }),
  ])
}

const aboutBooking = (id: string): Html => html`
<p>Requests about ${ui.link(`/dashboard/bookings/${id}`, html`booking <code>${id}</code>`)}.
${ui.link(PATH, 'Show all')}</p>`

const eraseQuestion = {
  title: 'Stop recording and erase bodies?',
  text:
    'The request and answer bodies of the last 7 days are erased at once, and later bodies are ' +
    'not recorded. This cannot be undone.',
  button: 'Stop and erase',
  back: [PATH, 'Keep recording'],
} as const

const recordingView = (isOn: boolean): Html => html`
<section class="card"><h2>Bodies</h2>
<p>${
  isOn
    ? html`Request and answer bodies are recorded without secrets and guests’ details, and erased
after 7 days.`
    : 'Bodies are not recorded. Requests are listed without them.'
}</p>
${ui.actionForm(`${PATH}/recording`, isOn ? 'Stop recording and erase bodies' : 'Record bodies', {
  more: ui.hidden('bodies', isOn ? 'off' : 'on'),
})}</section>`
