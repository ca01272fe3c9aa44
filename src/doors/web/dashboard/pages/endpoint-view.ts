import type { Delivery, DeliverySpan } from '../../../../webhooks/schema/deliveries.ts'
import type { Endpoint } from '../../../../webhooks/schema/endpoints.ts'
import type { Replay } from '../../../../webhooks/schema/replays.ts'
import { attemptCharts } from '../../charts/delivery-charts.ts'
import * as ui from '../../components.ts'
import { type Html, html } from '../../html.ts'
import { deliveryTable } from '../delivery-table.ts'
import { endpointBadge, statusBadge } from '../status-badges.ts'
import { endpointFields, type RefusedEndpoint } from './endpoint-fields.ts'

type EndpointPage = {
  endpoint: Endpoint
  deliveries: readonly Delivery[]
  replays: readonly Replay[]
  /** the last 24 hours */
  spans: readonly DeliverySpan[]
  /** its address in the Temporal UI */
  workflow: string | undefined
  /** settings that were refused */
  tried: RefusedEndpoint | undefined
}

export function endpointView(page: EndpointPage): Html {
  const { endpoint, deliveries, replays, spans, workflow, tried } = page
  const { id, url, description } = endpoint
  const path = `/dashboard/webhooks/${id}`
  const settings = [ui.alert(tried?.refused), ...endpointFields(tried?.input ?? endpoint)]
  return html`
<p><code>${url}</code> ${description && ui.quiet(description)}</p>
<p>${stateView(endpoint)}</p>
<div class="row">${buttons(path, endpoint)}</div>
${ui.facts([
  ['Endpoint', ui.copyable(id)],
  ['Events', endpoint.event_types.join(', ')],
  ['Pending', endpoint.deliveries.pending],
  ['Held', endpoint.deliveries.held],
  ['Failed', endpoint.deliveries.failed],
  ['Last sequence', endpoint.last_sequence],
  ['Custom headers', Object.keys(endpoint.headers).join(', ') || 'none'],
  ['Rate', endpoint.rate_per_second ? `${endpoint.rate_per_second} per second` : 'no limit'],
  ['Order', endpoint.fifo ? 'in order' : 'unordered'],
  ['Verified', ui.when(endpoint.verified_at)],
])}
${workflow && html`<p>${ui.link(workflow, 'Workflow in the Temporal UI')}</p>`}
<h2>The last 24 hours</h2>
${attemptCharts(spans) ?? ui.note('Nothing was sent.')}
<h2>Latest deliveries</h2>
${deliveryTable(deliveries, new Map([[id, url]]))}
<p>${ui.link(`/dashboard/deliveries?endpoint=${id}`, 'All deliveries of this endpoint')}</p>
<h2>Replay and recover</h2>
<p>${ui.link(`${path}/replay`, 'Replay events')}: failed ones, or any time range.</p>
${ui.listTable('Replays', replays, replayColumns)}
<h2>Signing secrets</h2>
${secrets(path, endpoint)}
<h2>Settings</h2>
<details${tried && html` open`}><summary>Change</summary>
${ui.stackForm(`${path}/update`, 'Save', settings)}</details>
<p>${ui.link(`${path}/delete`, 'Delete this endpoint')}</p>`
}

const replayColumns: ui.Columns<Replay> = {
  Started: ({ id, created_at }) => ui.link(`/dashboard/replays/${id}`, ui.when(created_at)),
  Status: ({ status }) => statusBadge(status),
  Queued: ({ queued, total }) => `${queued} of ${total}`,
}

const reasons: Record<NonNullable<Endpoint['status_reason']>, string> = {
  url_changed: 'the URL changed and must be verified',
  owner: 'by you',
  operator: 'by the network’s operator',
  gone: 'it responded with 410',
  failing: 'every attempt failed for five days',
}
const waits: Record<NonNullable<Endpoint['wait_reason']>, string> = {
  breaker: 'recent attempts failed, so only the oldest event is tried',
  retry_after: 'it asked to wait (Retry-After)',
  fifo: 'the first event in order is waiting for its retry',
}

function stateView(endpoint: Endpoint): Html {
  const { status, status_reason, failing_since, wait_until, wait_reason } = endpoint
  return html`${endpointBadge(endpoint)}
${status !== 'active' && status_reason && reasons[status_reason]}
${failing_since && html`Every attempt has failed since ${ui.when(failing_since)}.`}
${
  wait_until &&
  wait_reason &&
  html`Nothing is sent before ${ui.when(wait_until)}: ${waits[wait_reason]}.`
}`
}

function buttons(path: string, { status, verified }: Endpoint): Html[] {
  const button = (verb: string, label: string, more?: Html) =>
    ui.actionForm(`${path}/${verb}`, label, more && { more })
  const verify = button('verify', 'Verify URL')
  const disable = button('disable', 'Disable')
  const held = ui.choice('Held events', 'held', { release: 'Send now', discard: 'Discard' })
  switch (status) {
    case 'unverified':
      return [verify, button('verify', 'Submit challenge', challengeField()), disable]
    case 'active': {
      const note = ui.field('Message', { name: 'note', maxlength: 500 })
      return [button('test', 'Send a test event', note), button('pause', 'Pause'), disable]
    }
    case 'paused':
      return [...(verified ? [] : [verify]), button('resume', 'Resume', held), disable]
    case 'disabled':
      return [button('enable', 'Enable', held)]
  }
}

const challengeField = () =>
  ui.field(
    'Challenge from your receiver’s log',
    { name: 'challenge', maxlength: 200, required: true },
    'For receivers that cannot sign the challenge.',
  )

/** Called for each form: a field has an id of its own. */
const overlap = () =>
  ui.field(
    'Overlap in hours',
    { name: 'overlap', type: 'number', min: '0', max: '168', value: '24' },
    'The old secret stays valid this long.',
  )

const keyColumns: ui.Columns<Endpoint['keys'][number]> = {
  Key: ({ id }) => html`<code>${id}</code>`,
  State: ({ state }) => ui.badge(state, state === 'current' ? 'good' : 'wait'),
  From: ({ valid_from }) => ui.when(valid_from),
  Until: ({ valid_until }) => ui.when(valid_until),
}

function secrets(path: string, { keys }: Endpoint): Html {
  const staged = keys.find(({ state }) => state === 'staged')
  const force = ui.checkbox('Skip the check that the receiver has it', 'force', 'on')
  const stage = ui.checkbox('Staged: not used until you activate it', 'staged', 'on')
  return html`
${ui.listTable('Signing secrets', keys, keyColumns)}
${
  staged &&
  ui.actionForm(`${path}/activate`, 'Activate the staged secret', {
    more: html`${ui.hidden('key', staged.id)}${overlap()}${force}`,
  })
}
${ui.actionForm(`${path}/rotate`, 'Rotate', { more: html`${overlap()}${stage}` })}
<p>${ui.link(`${path}/revoke`, 'Secret leaked? Revoke all')}</p>`
}
