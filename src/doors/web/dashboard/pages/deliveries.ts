import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { getDelivery, listDeliveries } from '../../../../webhooks/operations/read-deliveries.ts'
import { listEndpoints } from '../../../../webhooks/operations/read-endpoints.ts'
import { retryDelivery } from '../../../../webhooks/operations/retry-delivery.ts'
import { eventFilters } from '../../../../webhooks/rules/event-types.ts'
import { retrySchedule } from '../../../../webhooks/rules/retry-schedule.ts'
import { shortUrl } from '../../../../webhooks/rules/short-url.ts'
import { shownDeliveryStatuses } from '../../../../webhooks/rules/statuses.ts'
import type { Attempt, Delivery } from '../../../../webhooks/schema/deliveries.ts'
import type { Endpoint } from '../../../../webhooks/schema/endpoints.ts'
import * as ui from '../../components.ts'
import { doneNotice, paramsOf, textFields, utcInstant, withQuery } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { attemptWords, deliveryTable } from '../delivery-table.ts'
import { type Page, redirectDone, showPage } from '../page-kit.ts'
import { statusBadge } from '../status-badges.ts'

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

/** Characters of a response body that are shown. The API returns all that is kept. */
const EXCERPT_CHARS = 2_000

const done = {
  succeeded: 'Sent and delivered.',
  failed: 'Sent, but it failed again. See the latest attempt.',
  unknown: 'Sent. The outcome is unknown.',
  pending: 'Sending. Refresh in a moment.',
  written: 'Test event queued.',
}

/** `/dashboard/deliveries/{id}`: one delivery with each of its attempts. */
export const delivery: Page = async (scope, { call }) => {
  scope.get(`${PATH}/:id`, async (request, reply) => {
    const [found, { endpoints }] = await Promise.all([
      call(request, getDelivery, paramsOf(request)),
      call(request, listEndpoints, {}),
    ])
    const endpoint = endpoints.find(({ id }) => id === found.delivery.endpoint_id)
    const notice = doneNotice(request, done)
    return showPage(reply, 'Delivery', deliveryView({ ...found, endpoint }), { notice })
  })

  scope.post(`${PATH}/:id/retry`, async (request, reply) => {
    const { status, delivery } = await call(request, retryDelivery, paramsOf(request))
    return redirectDone(reply, `${PATH}/${delivery.id}`, status)
  })
}

/** `endpoint` is undefined once it is deleted. */
type DeliveryPage = z.infer<typeof getDelivery.output> & { endpoint: Endpoint | undefined }

function deliveryView({ delivery, body, attempts, endpoint }: DeliveryPage): Html {
  const { event, next, replay_id } = delivery
  const eventLink = ui.link(`/dashboard/events/${event.number}`, event.number)
  return html`
<p>${statusBadge(delivery.status)} ${next?.rule}
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
<h2>Attempts</h2>
${attempts.length === 0 && ui.note('None yet.')}
${attempts.map((attempt, index) => attemptView(attempt, index === 0))}
<h2>Body</h2>
${
  body === null ? ui.note('Created with the first attempt.') : ui.codeBlock(body, 'Body as signed')
}`
}

function actions({ id, event }: Delivery, endpoint: Endpoint | undefined): Html {
  if (!endpoint) return ui.note('The endpoint was deleted. Nothing more will be sent.')
  const path = `/dashboard/webhooks/${endpoint.id}`
  if (!endpoint.verified) return html`<p>${ui.link(path, 'Verify the endpoint')} to send this.</p>`
  const more = html`${ui.hidden('way', 'events')}${ui.hidden('events', event.id)}`
  return html`${ui.actionForm(`${PATH}/${id}/retry`, 'Retry now')}
${ui.actionForm(`${path}/replays`, 'Replay', { more })}`
}

function attemptView(attempt: Attempt, isNewest: boolean): Html {
  const { number, status, failure, cause, next, request } = attempt
  return html`
<details class="card"${isNewest && html` open`}><summary>${number}. ${statusBadge(status)}
${attemptWords({ ...attempt, failure: failure?.category ?? null })} ${ui.quiet(cause)}
${ui.when(attempt.started_at)}</summary>
${failure && html`<p>${failure.text}</p>`}
${
  next &&
  html`<p>${next.rule} ${next.at && html`Next retry was scheduled for ${ui.when(next.at)}.`}</p>`
}
<h3>Request</h3>
<p><code>POST ${request.url}</code></p>
${ui.codeBlock(headerLines(request.headers), `Headers of attempt ${number}`)}
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

const headerLines = (headers: Readonly<Record<string, unknown>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : ui.jsonText(value)}`)
    .join('\n')
