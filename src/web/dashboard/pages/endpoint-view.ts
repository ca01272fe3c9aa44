import type { Delivery, DeliverySpan } from '../../../webhooks/schema/deliveries.ts'
import type { Endpoint } from '../../../webhooks/schema/endpoints.ts'
import type { Replay } from '../../../webhooks/schema/replays.ts'
import * as ui from '../../page/components.ts'
import { type Html, html } from '../../page/html.ts'
import { deliveryTable } from '../delivery-table.ts'
import { endpointBadge, statusBadge } from '../status-badges.ts'
import { attemptsTable } from '../trends.ts'
import { endpointFields, type RefusedEndpoint } from './endpoint-fields.ts'

/** The events that an endpoint subscribes to, in words. */
export const eventsText = ({ event_types }: Pick<Endpoint, 'event_types'>): string =>
  event_types.includes('*') ? 'all' : event_types.join(', ')

/** The tabs of the page, by their name in the address. */
export const endpointTabs = {
  overview: 'Overview',
  deliveries: 'Deliveries',
  replays: 'Replays',
  secrets: 'Secrets',
  settings: 'Settings',
} as const
export type EndpointTab = keyof typeof endpointTabs

/** The address of a tab of an endpoint's page. */
const tabPath = (id: string, tab: EndpointTab): string =>
  `/dashboard/webhooks/${id}${tab === 'overview' ? '' : `?tab=${tab}`}`

/** What every tab shows, above its own content. */
export function endpointFrame(endpoint: Endpoint, tab: EndpointTab, content: Html): Html {
  const { id, url, description } = endpoint
  const links = Object.entries(endpointTabs).map(([word, name]) => [
    name,
    tabPath(id, word as EndpointTab),
  ])
  return html`
<p>${ui.copyable(url)} ${description && ui.quiet(description)}</p>
${troubleView(endpoint)}
${ui.tabs('Endpoint', Object.fromEntries(links), endpointTabs[tab])}
${content}`
}

/** What is wrong, and the button that resends undelivered events. */
function troubleView(endpoint: Endpoint): Html {
  const { id, status, status_reason, failing_since, deliveries, verified } = endpoint
  const { failing, failed } = deliveries
  const isCutOff = status === 'disabled' && status_reason !== 'owner'
  const isFailing = status === 'active' && failing_since !== null
  if (!isCutOff && !isFailing && failing === 0) return html``
  const path = `/dashboard/webhooks/${id}`
  const failures = ui.link(`/dashboard/deliveries?endpoint=${id}&status=failing`, 'See them')
  const givenUp = ui.checkbox(
    `Also the ${ui.grouped(failed)} that failed for good`,
    'all',
    'on',
    true,
  )
  return html`<section class="notice bad" aria-label="Trouble">
<p>${
    isCutOff
      ? html`This endpoint was disabled${status_reason && html`: ${reasons[status_reason]}`}. New
events are held. Fix your receiver, then enable it.`
      : isFailing
        ? html`Every attempt has failed since ${ui.when(failing_since)}.`
        : 'Some deliveries are failing.'
  } ${failing > 0 && html`${ui.grouped(failing)} waiting for another attempt. ${failures}`}</p>
${
  !isCutOff &&
  verified &&
  ui.actionForm(`${path}/retry`, 'Retry all failing', {
    tone: 'main',
    ...(failed > 0 && { more: givenUp }),
  })
}</section>`
}

type OverviewTab = {
  endpoint: Endpoint
  /** covers the last 24 hours */
  spans: readonly DeliverySpan[]
  /** the workflow's address in the Temporal UI */
  workflow: string | undefined
}

export function overviewTab({ endpoint, spans, workflow }: OverviewTab): Html {
  const { id } = endpoint
  return html`
<p>${stateView(endpoint)}</p>
<div class="row">${buttons(`/dashboard/webhooks/${id}`, endpoint)}</div>
${ui.facts([
  ['Endpoint', ui.copyable(id)],
  ['Events', eventsText(endpoint)],
  ['Pending', endpoint.deliveries.pending],
  ['Failing', endpoint.deliveries.failing],
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
${attemptsTable(spans) ?? ui.note('Nothing was sent.')}`
}

export const deliveriesTab = ({ id, url }: Endpoint, deliveries: readonly Delivery[]): Html => html`
<h2>Latest deliveries</h2>
${deliveryTable(deliveries, new Map([[id, url]]))}
<p>${ui.link(`/dashboard/deliveries?endpoint=${id}`, 'All deliveries of this endpoint')} ·
${ui.link(`/dashboard/deliveries?endpoint=${id}&status=failing`, 'Failing ones')}</p>`

export const replaysTab = ({ id }: Endpoint, replays: readonly Replay[]): Html => html`
<h2>Replay and recover</h2>
<p>Send failed events again, or all events of a time range.</p>
<p>${ui.linkButton(`/dashboard/webhooks/${id}/replay`, 'Replay events', true)}</p>
${ui.listTable('Replays', replays, replayColumns, ui.note('No replays yet.'))}`

export const secretsTab = (endpoint: Endpoint): Html => html`
<h2>Signing secrets</h2>
${secrets(`/dashboard/webhooks/${endpoint.id}`, endpoint)}`

export function settingsTab(endpoint: Endpoint, draft: RefusedEndpoint | undefined): Html {
  const path = `/dashboard/webhooks/${endpoint.id}`
  const settings = [
    ui.alert(draft?.refused),
    ...endpointFields(draft?.input ?? endpoint, draft?.errors),
  ]
  return html`
<h2>Settings</h2>
${ui.stackForm(`${path}/update`, 'Save', settings, 'main')}
<h2>Delete</h2>
<p>${ui.link(`${path}/delete`, 'Delete this endpoint')}</p>`
}

const replayColumns: ui.Columns<Replay> = {
  Started: ({ id, created_at }) => ui.rowLink(`/dashboard/replays/${id}`, ui.when(created_at)),
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
const waits: Record<Exclude<Endpoint['wait_reason'], 'network' | null>, string> = {
  breaker: 'recent attempts failed, so only the oldest event is tried',
  retry_after: 'it asked to wait (Retry-After)',
  fifo: 'the first event in order is waiting for its retry',
}

function stateView(endpoint: Endpoint): Html {
  const { status, status_reason, wait_until, wait_reason } = endpoint
  return html`${endpointBadge(endpoint)}
${status !== 'active' && status_reason && reasons[status_reason]}
${
  wait_reason === 'network' &&
  'The network is behind: some events are overdue. You need not do anything.'
}${
  wait_until &&
  wait_reason &&
  wait_reason !== 'network' &&
  html`Nothing is sent before ${ui.when(wait_until)}: ${waits[wait_reason]}.`
}`
}

function buttons(path: string, { status, verified }: Endpoint): Html[] {
  const button = (verb: string, label: string, more?: Html) =>
    ui.actionForm(`${path}/${verb}`, label, more && { more })
  const verify = button('verify', 'Verify URL')
  const disable = button('disable', 'Disable')
  const heldField = ui.choice('Held events', 'held', { release: 'Send now', discard: 'Discard' })
  switch (status) {
    case 'unverified':
      return [verify, button('verify', 'Submit challenge', challengeField()), disable]
    case 'active': {
      const note = ui.field('Message', { name: 'note', maxlength: 500 })
      return [button('test', 'Send a test event', note), button('pause', 'Pause'), disable]
    }
    case 'paused':
      return [...(verified ? [] : [verify]), button('resume', 'Resume', heldField), disable]
    case 'disabled':
      return [button('enable', 'Enable', heldField)]
  }
}

const challengeField = () =>
  ui.field(
    'Challenge from your receiver’s log',
    { name: 'challenge', maxlength: 200, required: true },
    'For receivers that cannot sign the challenge.',
  )

/** A function, because the fields of each form need their own ids. */
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
