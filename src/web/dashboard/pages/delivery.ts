import type { z } from 'zod'
import { MINUTE_MS, SECOND_MS } from '../../../base/durations.ts'
import { shellQuoted } from '../../../base/shell-text.ts'
import { getDelivery } from '../../../webhooks/operations/read-deliveries.ts'
import { listEndpoints } from '../../../webhooks/operations/read-endpoints.ts'
import { retryDelivery } from '../../../webhooks/operations/retry-delivery.ts'
import { retrySchedule } from '../../../webhooks/rules/retry-schedule.ts'
import { shortUrl } from '../../../webhooks/rules/short-url.ts'
import type { Attempt, Delivery } from '../../../webhooks/schema/deliveries.ts'
import type { Endpoint } from '../../../webhooks/schema/endpoints.ts'
import * as ui from '../../page/components.ts'

import { doneNotice, paramsOf, textFields } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { highlight } from '../../site/highlight.ts'
import { attemptWords } from '../delivery-table.ts'
import { type Page, redirectDone, showPage } from '../page.ts'
import { deliveryBadge, statusBadge } from '../status-badges.ts'
import notices from './notices.json' with { type: 'json' }

const PATH = '/dashboard/deliveries'

/** `/dashboard/deliveries/{id}`: one delivery with all its attempts, updated until it is final. */
export const delivery: Page = async (scope, { call }) => {
  scope.get(`${PATH}/:id`, async (request, reply) => {
    const [details, { endpoints }] = await Promise.all([
      call(request, getDelivery, paramsOf(request)),
      call(request, listEndpoints, {}),
    ])
    const { event, status, endpoint_id } = details.delivery
    const endpoint = endpoints.find(({ id }) => id === endpoint_id)
    const isWaiting = status === 'pending' || status === 'sending'
    const last = details.delivery.last_attempt?.status
    const holds = {
      succeeded: status === 'delivered',
      failed: last === 'failed',
      pending: isWaiting,
      written: isWaiting && details.attempts.length === 0,
    }
    const title = endpoint ? `${event.type} → ${shortUrl(endpoint.url)}` : event.type
    const seconds = secondsToNews(details.delivery, new Date())
    return showPage(reply, title, deliveryView({ ...details, endpoint, seconds }), {
      notice: doneNotice(request, notices.delivery, holds),
      isBad: textFields(request.query, ['done']).done === 'failed',
      refreshSeconds: seconds && Math.max(seconds, MIN_REFRESH_SECONDS),
      scripts: ['live-view.js'],
      crumbs: [['Deliveries', PATH]],
    })
  })

  scope.post(`${PATH}/:id/retry`, async (request, reply) => {
    const { status, delivery } = await call(request, retryDelivery, paramsOf(request))
    return redirectDone(reply, `${PATH}/${delivery.id}`, status)
  })
}

/** Readers need a moment before a page reloads in full. */
const MIN_REFRESH_SECONDS = 2
const MAX_SECONDS = MINUTE_MS / SECOND_MS

/** Seconds until a delivery is likely to change; undefined if it is final or on hold. */
function secondsToNews({ status, next }: Delivery, now: Date): number | undefined {
  if (status === 'sending') return 1
  if (status !== 'pending') return undefined
  const ms = next?.at ? new Date(next.at).getTime() - now.getTime() : 0
  return Math.min(Math.max(Math.ceil(ms / SECOND_MS), 1), MAX_SECONDS)
}

/** `endpoint` is undefined if it was deleted. */
type DeliveryPage = z.infer<typeof getDelivery.output> & {
  endpoint: Endpoint | undefined
  seconds: number | undefined
}

function deliveryView({ delivery, body, attempts, endpoint, seconds }: DeliveryPage): Html {
  const { event, next, replay_id } = delivery
  const eventLink = ui.link(`/dashboard/events/${event.number}`, event.number)
  const version = [delivery.status, delivery.updated_at, attempts[0]?.status, endpoint?.status]
  return html`
<live-view data-version="${version.join(' ')}"${seconds && html` data-seconds="${seconds}"`}>
<p>${deliveryBadge(delivery)} ${next?.rule}
${next?.at && html`Next attempt ${ui.when(next.at)}.`}</p>
<div class="row">${actions(delivery, endpoint)}</div>
${ui.facts([
  ['Delivery', ui.copyable(delivery.id)],
  ['Event', html`${eventLink} <code>${event.type}</code>`],
  ['webhook-id', ui.copyable(event.id)],
  ['Endpoint', endpoint ? ui.link(`/dashboard/webhooks/${endpoint.id}`, endpoint.url) : 'deleted'],
  ['Sequence', delivery.sequence],
  ['Scheduled attempts', `${delivery.tries} of ${retrySchedule.attempts}`],
  ['Attempts', delivery.attempt_count],
  ['Created', ui.when(delivery.created_at)],
  ['Delivered', delivery.delivered_at && ui.when(delivery.delivered_at)],
  ['Expires', next && ui.when(delivery.give_up_at)],
  ['Replay', replay_id && ui.link(`/dashboard/replays/${replay_id}`, 'last queued by this replay')],
])}
<h2>Payload</h2>
${body === null ? ui.note('Created with the first attempt.') : payloadView(body, attempts[0])}
<h2>Attempts</h2>
${attempts.length === 0 && ui.note('None yet.')}
${attempts.map((attempt, index) => attemptView(attempt, index === 0))}
</live-view>`
}

/** How much of a response body is shown, in characters. The API returns everything stored. */
const EXCERPT_CHARS = 2_000

/** One attempt with its request and response, expanded if it is the newest. */
function attemptView(attempt: Attempt, isNewest: boolean): Html {
  const { number, status, failure, cause, next } = attempt
  return html`
<details class="card" id="attempt-${number}"${isNewest && html` open`}><summary>
${number}. ${statusBadge(status)}
${attemptWords({ ...attempt, failure: failure?.category ?? null })} ${ui.quiet(cause)}
${ui.when(attempt.started_at)}</summary>
${failure && html`<p>${failure.text}</p>`}
${next && html`<p>${next.rule} ${next.at && html`Next retry ${ui.when(next.at)}.`}</p>`}
<h3>Request</h3>
<p><code>POST ${attempt.request.url}</code></p>
${ui.codeBlock(headerLines(attempt.request.headers), `Headers of attempt ${number}`)}
<h3>Response</h3>
${responseView(attempt)}</details>`
}

function responseView({ number, status, response }: Attempt): Html {
  if (!response) {
    const why =
      status === 'sending' ? 'In flight.' : 'No response, or hidden until the endpoint is verified.'
    return html`<p class="quiet">${why}</p>`
  }
  const { headers, body, truncated } = response
  const text = body ?? ''
  return html`
${ui.codeBlock(headerLines(headers), `Response headers of attempt ${number}`)}
${
  text === ''
    ? ui.note('Empty body.')
    : ui.codeBlock(text.slice(0, EXCERPT_CHARS), `Response body of attempt ${number}`)
}
${
  (truncated || text.length > EXCERPT_CHARS) &&
  html`<p class="quiet">Cut off here. <code>GET /api/deliveries/{id}</code> returns the first
16 kB.</p>`
}`
}

/** Headers as text to copy, one `name: value` per line. */
const headerLines = (headers: Readonly<Record<string, unknown>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : ui.jsonText(value)}`)
    .join('\n')

/** The body of a delivery: formatted, as signed, and as a command that resends it. */
function payloadView(body: string, newest: Attempt | undefined): Html {
  return ui.codeTabs([
    { label: 'Pretty', code: { markup: highlight(pretty(body), 'json') } },
    { label: 'Raw, as signed', code: body },
    ...(newest ? [{ label: 'curl', code: curl(body, newest.request) }] : []),
  ])
}

/** Every body is JSON. Formatting may round large numbers; the raw body keeps them exact. */
const pretty = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)

/** The newest request as a command, for testing a receiver by hand. */
const curl = (body: string, { url, headers }: Attempt['request']): string =>
  [
    `curl -X POST ${shellQuoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)}`),
    `  --data-raw ${shellQuoted(body)}`,
  ].join(' \\\n')

const isFinal = ({ status }: Delivery) =>
  status !== 'pending' && status !== 'sending' && status !== 'held'

function actions(delivery: Delivery, endpoint: Endpoint | undefined): Html {
  if (!endpoint) return ui.note('The endpoint was deleted. Nothing more will be sent.')
  const { id, event } = delivery
  const path = `/dashboard/webhooks/${endpoint.id}`
  if (!endpoint.verified) return html`<p>${ui.link(path, 'Verify the endpoint')} to send this.</p>`
  const more = html`${ui.hidden('way', 'events')}${ui.hidden('events', event.id)}`
  return html`${ui.actionForm(`${PATH}/${id}/retry`, 'Retry now', { tone: 'main' })}
${isFinal(delivery) && ui.actionForm(`${path}/replays`, 'Replay', { more })}`
}
