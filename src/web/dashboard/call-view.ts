import type { RequestDetails } from '../../accounts/schema/usage.ts'
import { shellQuoted } from '../../base/shell-text.ts'
import type { Delivery } from '../../webhooks/schema/deliveries.ts'
import type { Event } from '../../webhooks/schema/events.ts'
import { withCode } from '../docs/with-code.ts'
import * as ui from '../page/components.ts'
import { withQuery } from '../page/forms.ts'
import { type Html, html } from '../page/html.ts'
import { durationText } from '../page/times.ts'
import { highlight } from '../site/highlight.ts'
import { doorNames } from './call-rows.ts'
import { deliveryTable, type EndpointUrls } from './delivery-table.ts'

/** Later events of the booking that the request concerned. */
export type Effects = {
  events: readonly Event[]
  deliveries: readonly Delivery[]
  urls: EndpointUrls
}

type RequestPage = RequestDetails & { effects: Effects | null; publicUrl: string; badge: Html }

/** One request: its refusal, sender, bodies and effects. */
export function requestView(page: RequestPage): Html {
  const { request, error, badge, effects } = page
  const { code, calls } = request
  return html`
<p>${badge} ${code !== 'ok' && html`<code>${code}</code>`}
${calls > 1 && `${calls} equal refusals within a second, shown as one.`}</p>
${error && reasonView(code, error)}
${callFacts(page)}
${bodiesView(page)}
${effects && effects.events.length > 0 && effectsView(effects)}`
}

const reasonView = (code: string, error: NonNullable<RequestDetails['error']>): Html => html`
<section class="card reason"><h2>Why it was refused</h2>
<p>${withCode(error.message)}</p>
<h3>What to do</h3>
<p>${withCode(error.advice)}</p>
<p>${ui.link(`/errors#${code}`, html`More about <code>${code}</code>`)}</p></section>`

const secondText = (at: string) => at.slice(0, 19).replace('T', ' ')

const mcpNote = html`${ui.quiet('MCP answers 200 with isError')}`

function callFacts({ request, key, booking_id, group_id }: RequestPage): Html {
  const { request_id, door, status, operation, target, from, ms, at } = request
  const isInPath = door === 'rest' || target === null
  return ui.facts([
    ['Request id', ui.copyable(request_id)],
    ['Time', ui.when(at)],
    ['UTC, to the second', secondText(at)],
    ['Interface', doorNames[door] ?? door],
    ['HTTP status', door === 'mcp' && status !== 200 ? mcpNote : null],
    [door === 'rest' ? 'Route' : 'Called', target && html`<code>${target}</code>`],
    ['Operation', isInPath || operation !== target ? operation : null],
    ['Duration', durationText(ms)],
    ['Key', key && keyLink(key)],
    ['Agent', from],
    ['Booking', booking_id && bookingLinks(booking_id)],
    ['Group', group_id && ui.copyable(group_id)],
  ])
}

const keyLink = ({ id, name, ends_in }: NonNullable<RequestDetails['key']>): Html =>
  html`${ui.link(`/dashboard/keys/${id}`, name)} <code>…${ends_in}</code>`

const bookingLinks = (id: string): Html => html`
${ui.link(`/dashboard/bookings/${id}`, id)}
· ${ui.link(withQuery('/dashboard/requests', { booking: id }), 'its requests')}`

const notRecorded = ui.note(html`Not recorded: recording was off, or too many requests came at
once. ${ui.link('/dashboard/requests', 'See the setting')}.`)

function bodiesView(page: RequestPage): Html {
  const { sent, answer, publicUrl } = page
  if (!sent || !answer) return html`<h2>Request and answer</h2>${notRecorded}`
  const { query = {}, body } = sent
  const curl = curlOf(page, publicUrl)
  const parts = [
    ...(Object.keys(query).length > 0 ? [{ label: 'Query', code: pretty(query) }] : []),
    ...(body === undefined ? [] : [{ label: 'Body', code: pretty(body) }]),
    ...(curl ? [{ label: 'curl', code: { markup: highlight(curl, 'bash') } }] : []),
  ]
  return html`
<section class="exchange"><h2>Request</h2>
${ui.codeTabs(parts)}
${cutNote(sent, { query, body })}
${ui.note(html`Secrets and guests’ details are not recorded. For curl, put your key into
<code>API_KEY</code> and fill in what is redacted.`)}
<h2>Answer</h2>
${ui.codeBlock(pretty(answer.body), 'Answer')}
${cutNote(answer, answer.body)}</section>`
}

const pretty = (value: unknown): Html => ({ markup: highlight(ui.jsonText(value), 'json') })

const cutNote = ({ bytes, is_cut }: { bytes: number; is_cut: boolean }, value: unknown): Html => {
  const recordedBytes = Math.min(bytes, Buffer.byteLength(JSON.stringify(value)))
  return html`${
    is_cut &&
    ui.note(`Shortened: about ${ui.grouped(recordedBytes)} of ${ui.grouped(bytes)} bytes are kept.`)
  }`
}

const effectsView = ({ events, deliveries, urls }: Effects): Html => html`
<h2>Booking events since this request</h2>
${ui.listTable('Events of the booking', events, eventColumns)}
${
  deliveries.length > 0 &&
  html`<h2>Deliveries of these events</h2>${deliveryTable(deliveries, urls)}`
}`

const eventColumns: ui.Columns<Event> = {
  Number: ({ number }) => ui.link(`/dashboard/events/${number}`, number),
  Type: ({ type }) => html`<code>${type}</code>`,
  When: ({ timestamp }) => ui.when(timestamp),
}

type RecordedRequest = Pick<RequestDetails, 'request' | 'sent'>

/** The request as a curl command, with the key in `$API_KEY`; null if too little was recorded. */
function curlOf({ request, sent }: RecordedRequest, publicUrl: string): string | null {
  const { method, path, door } = request
  if (method === null || path === null || sent === null) return null
  const { headers = {}, query = {}, body } = sent
  const isMcp = door === 'mcp'
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
  // The older transport's session ends with its stream, so the command uses `/mcp`.
  const address = isMcp ? '/mcp' : withQuery(path, Object.fromEntries(texts))
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(publicUrl + address)}`,
    '-H "Authorization: Bearer $API_KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(isMcp ? ["-H 'Accept: application/json, text/event-stream'"] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `--data-raw ${shellQuoted(JSON.stringify(body))}`]),
  ]
  return lines.join(' \\\n  ')
}
