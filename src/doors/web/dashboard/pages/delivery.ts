import type { FastifyInstance } from 'fastify'
import { getDelivery } from '../../../../webhooks/operations/read-deliveries.ts'
import { listEndpoints } from '../../../../webhooks/operations/read-endpoints.ts'
import { retryDelivery } from '../../../../webhooks/operations/retry-delivery.ts'
import type { Attempt, Delivery } from '../../../../webhooks/schema/deliveries.ts'
import type { Endpoint } from '../../../../webhooks/schema/endpoints.ts'
import { codeBlock, copyable, jsonText } from '../../components/code.ts'
import { actionForm } from '../../components/form.ts'
import { facts } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { doneNotice } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { idOf } from '../../query.ts'
import { attemptWords } from '../delivery-table.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { attemptBadge, deliveryBadge } from '../status-badges.ts'

const PATH = '/dashboard/deliveries/:id'

const done = {
  succeeded: 'Sent and delivered.',
  failed: 'Sent, but it failed again. See the latest attempt.',
  unknown: 'Sent. The outcome is unknown.',
  pending: 'Sending. Refresh in a moment.',
  written: 'Test event queued.',
}

/** `/dashboard/deliveries/{id}`: one delivery with each of its attempts. */
export async function delivery(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const [found, { endpoints }] = await Promise.all([
      call(request, getDelivery, { id: idOf(request) }),
      call(request, listEndpoints, {}),
    ])
    const endpoint = endpoints.find(({ id }) => id === found.delivery.endpoint_id)
    const body = deliveryView({ ...found, endpoint })
    const notice = doneNotice(request, done)
    const view = { title: 'Delivery', section: 'deliveries', body, notice } as const
    return sendPage(reply, dashboardPage(request, view))
  })

  scope.post(`${PATH}/retry`, async (request, reply) => {
    const { status, delivery } = await call(request, retryDelivery, { id: idOf(request) })
    return reply.redirect(`/dashboard/deliveries/${delivery.id}?done=${status}`, 303)
  })
}

/** So much of what a receiver answered is shown at once; the API has all that is kept. */
const EXCERPT_CHARS = 2_000

type DeliveryPage = {
  delivery: Delivery
  body: string | null
  attempts: readonly Attempt[]
  /** undefined once it is deleted */
  endpoint: Endpoint | undefined
}

/** One delivery: how it stands, what was sent, and what came of each attempt. */
function deliveryView({ delivery, body, attempts, endpoint }: DeliveryPage): Html {
  const { event, next } = delivery
  return html`
<p>${deliveryBadge(delivery.status)}${next ? html` ${next.rule}${next.at ? html` Next retry ${when(next.at)}.` : ''}` : ''}</p>
<div class="row">${actions(delivery, endpoint)}</div>
${facts([
  ['Delivery', copyable(delivery.id)],
  [
    'Event',
    html`<a href="/dashboard/events/${event.number}">${event.number}</a> <code>${event.type}</code>`,
  ],
  ['webhook-id', copyable(event.id)],
  [
    'Endpoint',
    endpoint ? html`<a href="/dashboard/webhooks/${endpoint.id}">${endpoint.url}</a>` : 'deleted',
  ],
  ['Sequence', delivery.sequence],
  ['Scheduled attempts', `${delivery.tries} of 10`],
  ['Attempts', delivery.attempt_count],
  ['Created', when(delivery.created_at)],
  ['Delivered', delivery.delivered_at === null ? null : when(delivery.delivered_at)],
  ['Expires', delivery.next === null ? null : when(delivery.give_up_at)],
  [
    'Replay',
    delivery.replay_id === null
      ? null
      : html`<a href="/dashboard/replays/${delivery.replay_id}">last queued by this replay</a>`,
  ],
])}
<h2>Attempts</h2>
${attempts.length === 0 ? html`<p class="quiet">None yet.</p>` : attempts.map((attempt, nth) => attemptView(attempt, nth === 0))}
<h2>Body</h2>
${body === null ? html`<p class="quiet">Created with the first attempt.</p>` : codeBlock(body, 'Body as signed')}`
}

function actions({ id, event }: Delivery, endpoint: Endpoint | undefined): Html {
  if (!endpoint)
    return html`<p class="quiet">The endpoint was deleted. Nothing more will be sent.</p>`
  if (!endpoint.verified) {
    return html`<p><a href="/dashboard/webhooks/${endpoint.id}">Verify the endpoint</a> to send this.</p>`
  }
  const replay = actionForm(`/dashboard/webhooks/${endpoint.id}/replays`, 'Replay', {
    more: html`<input type="hidden" name="way" value="events"><input type="hidden" name="events" value="${event.id}">`,
  })
  return html`${actionForm(`/dashboard/deliveries/${id}/retry`, 'Retry now')}${replay}`
}

const attemptView = (attempt: Attempt, isNewest: boolean): Html => html`
<details class="card"${isNewest ? html` open` : ''}><summary>${attempt.number}. ${attemptBadge(attempt.status)} ${attemptWords({ ...attempt, failure: attempt.failure?.category ?? null })} <span class="quiet">${attempt.cause}</span> ${when(attempt.started_at)}</summary>
${attempt.failure ? html`<p>${attempt.failure.text}</p>` : ''}
${attempt.next ? html`<p>${attempt.next.rule ?? ''}${attempt.next.at ? html` Next retry was scheduled for ${when(attempt.next.at)}.` : ''}</p>` : ''}
<h3>Request</h3>
<p><code>POST ${attempt.request.url}</code></p>
${codeBlock(headerLines(attempt.request.headers), `Headers of attempt ${attempt.number}`)}
<h3>Response</h3>
${responseView(attempt)}</details>`

function responseView({ number, status, response }: Attempt): Html {
  if (!response) {
    const why =
      status === 'sending' ? 'In flight.' : 'No response, or hidden until the endpoint is verified.'
    return html`<p class="quiet">${why}</p>`
  }
  const { headers, body, truncated } = response
  const text = body ?? ''
  const isCut = truncated || text.length > EXCERPT_CHARS
  return html`
${codeBlock(headerLines(headers), `Response headers of attempt ${number}`)}
${text === '' ? html`<p class="quiet">Empty body.</p>` : codeBlock(text.slice(0, EXCERPT_CHARS), `Response body of attempt ${number}`)}
${isCut ? html`<p class="quiet">Cut off here. <code>GET /api/deliveries/{id}</code> returns the first 16 kB.</p>` : ''}`
}

const headerLines = (headers: Readonly<Record<string, unknown>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : jsonText(value)}`)
    .join('\n')
