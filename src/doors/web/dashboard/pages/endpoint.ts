import type { FastifyInstance } from 'fastify'
import { deliveryStats } from '../../../../webhooks/operations/delivery-stats.ts'
import { listDeliveries } from '../../../../webhooks/operations/read-deliveries.ts'
import { getEndpoint } from '../../../../webhooks/operations/read-endpoints.ts'
import { listReplays } from '../../../../webhooks/operations/read-replays.ts'
import type { Delivery, DeliverySpan } from '../../../../webhooks/schema/deliveries.ts'
import type { Endpoint } from '../../../../webhooks/schema/endpoints.ts'
import type { Replay } from '../../../../webhooks/schema/replays.ts'
import { deliveryLatency, deliveryOutcomes } from '../../charts/delivery-charts.ts'
import { badge } from '../../components/badge.ts'
import { copyable } from '../../components/code.ts'
import { actionForm, checkbox, choice, field, formId } from '../../components/form.ts'
import { facts, table } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { doneNotice } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { idOf } from '../../query.ts'
import { deliveryTable } from '../delivery-table.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { endpointBadge, replayBadge } from '../status-badges.ts'
import { temporalLinks } from '../temporal-links.ts'
import { endpointActions } from './endpoint-actions.ts'
import { endpointDone, endpointHolds, type ShowEndpoint } from './endpoint-done.ts'
import { endpointFields, type TriedEndpoint } from './endpoint-fields.ts'
import { endpointSecrets } from './endpoint-secrets.ts'

const NEWEST = 10

/** `/dashboard/webhooks/{id}`: how one endpoint does, its newest deliveries, and everything that can be done with it. */
export async function endpoint(scope: FastifyInstance, deps: DashboardDeps) {
  const { call, config } = deps
  const links = temporalLinks(config)

  const show: ShowEndpoint = async (request, reply, { notice, tried } = {}) => {
    const id = idOf(request)
    const { endpoint } = await call(request, getEndpoint, { id })
    const [{ deliveries }, { replays }, { spans }] = await Promise.all([
      call(request, listDeliveries, { endpoint: id, limit: NEWEST }),
      call(request, listReplays, { id, limit: NEWEST }),
      call(request, deliveryStats, { endpoint: id }),
    ])
    const body = endpointView({
      endpoint,
      deliveries,
      replays,
      spans,
      workflow: links?.endpoint(id),
      tried,
    })
    const view = {
      title: 'Endpoint',
      section: 'webhooks',
      body,
      notice: notice ?? doneNotice(request, endpointDone, endpointHolds(endpoint)),
      styles: ['charts.css'],
    } as const
    return sendPage(reply, dashboardPage(request, view))
  }

  scope.get('/dashboard/webhooks/:id', (request, reply) => show(request, reply))
  await scope.register(endpointActions, { ...deps, show })
  await scope.register(endpointSecrets, deps)
}

type EndpointPage = {
  endpoint: Endpoint
  deliveries: readonly Delivery[]
  replays: readonly Replay[]
  /** the last 24 hours */
  spans: readonly DeliverySpan[]
  /** its workflow in the Temporal UI */
  workflow: string | undefined
  /** settings that were refused */
  tried?: TriedEndpoint | undefined
}

const reasons: Record<NonNullable<Endpoint['status_reason']>, string> = {
  url_changed: 'the address changed and needs to be verified',
  owner: 'by you',
  gone: 'it responded with 410',
  failing: 'every attempt failed for five days',
}
const waits: Record<NonNullable<Endpoint['wait_reason']>, string> = {
  breaker: 'recent attempts failed, so only the oldest event is tried',
  retry_after: 'it asked to wait (Retry-After)',
  fifo: 'the first event in order is waiting for its retry',
}

/** Everything about one endpoint. */
function endpointView({
  endpoint,
  deliveries,
  replays,
  spans,
  workflow,
  tried,
}: EndpointPage): Html {
  const { id, description } = endpoint
  const path = `/dashboard/webhooks/${id}`
  return html`
<p><code>${endpoint.url}</code>${description ? html` <span class="quiet">${description}</span>` : ''}</p>
${standing(endpoint)}
<div class="row">${buttons(path, endpoint)}</div>
${facts([
  ['Endpoint', copyable(id)],
  ['Events', endpoint.event_types.join(', ')],
  ['Pending', endpoint.deliveries.pending],
  ['Held', endpoint.deliveries.held],
  ['Failed', endpoint.deliveries.failed],
  ['Last sequence', endpoint.last_sequence],
  ['Custom headers', Object.keys(endpoint.headers).join(', ') || 'none'],
  [
    'Rate',
    endpoint.rate_per_second === null ? 'no limit' : `${endpoint.rate_per_second} per second`,
  ],
  ['Order', endpoint.fifo ? 'in order' : 'unordered'],
  ['Verified', when(endpoint.verified_at)],
])}
${workflow ? html`<p><a href="${workflow}">Workflow in the Temporal UI</a></p>` : ''}
<h2>The last 24 hours</h2>
${
  spans.some(({ succeeded, failed }) => succeeded + failed > 0)
    ? html`<div class="charts">${deliveryOutcomes('attempts', spans)}${deliveryLatency('latency', spans)}</div><p class="quiet">These figures are up to a minute old.</p>`
    : html`<p class="quiet">Nothing was sent.</p>`
}
<h2>Latest deliveries</h2>
${deliveryTable(deliveries, new Map([[id, endpoint.url]]))}
<p><a href="/dashboard/deliveries?endpoint=${id}">All deliveries of this endpoint</a></p>
<h2>Replay and recover</h2>
<p><a href="${path}/replay">Replay events</a>: failed ones, or any time range.</p>
${replays.length === 0 ? '' : table(['Started', 'Status', 'Queued'], replays.map(replayRow), 'Replays')}
<h2>Signing secrets</h2>
${secrets(path, endpoint)}
<h2>Settings</h2>
<details${tried ? html` open` : ''}><summary>Change</summary><form class="stack" method="post" action="${path}/update">${formId()}${tried ? html`<p role="alert">${tried.refused}</p>` : ''}${endpointFields(tried?.wish ?? endpoint)}<button>Save</button></form></details>
<p><a href="${path}/delete">Delete this endpoint</a></p>`
}

const standing = ({
  status,
  status_reason,
  failing_since,
  wait_until,
  wait_reason,
}: Endpoint) => html`
<p>${endpointBadge(status, failing_since !== null)}${status !== 'active' && status_reason ? ` ${reasons[status_reason]}` : ''}${failing_since ? html` Every attempt has failed since ${when(failing_since)}.` : ''}${wait_until && wait_reason ? html` Nothing is sent before ${when(wait_until)}: ${waits[wait_reason]}.` : ''}</p>`

const held = () => choice('Held events', 'held', { release: 'Send now', discard: 'Discard' })

function buttons(path: string, { status, verified }: Endpoint): Html[] {
  const verify = actionForm(`${path}/verify`, 'Verify now')
  const claim = actionForm(`${path}/verify`, 'Submit challenge', {
    more: field(
      'Challenge from your receiver’s log',
      { name: 'challenge', maxlength: 200, required: true },
      'For receivers that cannot echo the challenge.',
    ),
  })
  const disable = actionForm(`${path}/disable`, 'Disable')
  const pause = actionForm(`${path}/pause`, 'Pause')
  const test = actionForm(`${path}/test`, 'Send a test event', {
    more: field('Message', { name: 'note', maxlength: 500 }),
  })
  switch (status) {
    case 'unverified':
      return [verify, claim, disable]
    case 'active':
      return [test, pause, disable]
    case 'paused':
      return [
        ...(verified ? [] : [verify]),
        actionForm(`${path}/resume`, 'Resume', { more: held() }),
        disable,
      ]
    case 'disabled':
      return [actionForm(`${path}/enable`, 'Enable', { more: held() })]
  }
}

const replayRow = ({ id, created_at, status, queued, total }: Replay) => [
  html`<a href="/dashboard/replays/${id}">${when(created_at)}</a>`,
  replayBadge(status),
  `${queued} of ${total}`,
]

// made anew for each form: a field has an id of its own
const overlap = () =>
  field(
    'Overlap in hours',
    { name: 'overlap', type: 'number', min: '0', max: '168', value: '24' },
    'The old secret stays valid this long.',
  )

function secrets(path: string, { keys }: Endpoint): Html {
  const staged = keys.find(({ state }) => state === 'staged')
  return html`
${table(
  ['Key', 'State', 'From', 'Until'],
  keys.map((key) => [
    html`<code>${key.id}</code>`,
    badge(key.state, key.state === 'current' ? 'good' : 'wait'),
    when(key.valid_from),
    when(key.valid_until),
  ]),
  'Signing secrets',
)}
${
  staged
    ? actionForm(`${path}/activate`, 'Activate the staged secret', {
        more: html`<input type="hidden" name="key" value="${staged.id}">${overlap()}${checkbox('Skip the check that the receiver has it', 'force', 'on')}`,
      })
    : ''
}
${actionForm(`${path}/rotate`, 'Rotate', {
  more: html`${overlap()}${checkbox('Staged: not used until you activate it', 'staged', 'on')}`,
})}
<p><a href="${path}/revoke">Secret leaked? Revoke all</a></p>`
}
