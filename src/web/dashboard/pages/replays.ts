import { counted } from '../../../base/counted.ts'
import {
  cancelReplay,
  pauseReplay,
  resumeReplay,
} from '../../../webhooks/operations/change-replay.ts'
import { getEndpoint } from '../../../webhooks/operations/read-endpoints.ts'
import { getReplay } from '../../../webhooks/operations/read-replays.ts'
import { replayEvents } from '../../../webhooks/operations/replay-events.ts'
import { shortUrl } from '../../../webhooks/rules/short-url.ts'
import { type Endpoint, MAX_COUNTED } from '../../../webhooks/schema/endpoints.ts'
import type { Replay, ReplayCounts } from '../../../webhooks/schema/replays.ts'
import * as ui from '../../page/components.ts'
import { checkedValues, doneNotice, paramsOf, textFields, tryForm } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { askFirst, type Page, redirectDone, showPage, unlessRefused } from '../page.ts'
import { instantIn, zoneOf } from '../reader-zone.ts'
import { statusBadge } from '../status-badges.ts'
import { eventOptions } from './deliveries.ts'

const REFRESH_SECONDS = 3

const TITLE = 'Replay and recover'
const above = [['Endpoints', '/dashboard/webhooks']] as const
const titleOf = ({ total }: Replay): string => `Replay of ${counted(total, 'event')}`
const crumbsOf = ({ id, url }: Endpoint) =>
  [...above, [shortUrl(url), `/dashboard/webhooks/${id}`]] as const

const notices = { begun: 'Replay started.', changed: 'Saved.' }

const replayFields = [
  'way',
  'failed_since',
  'from',
  'until',
  'from_number',
  'until_number',
  'events',
  'per_second',
] as const
type Fields = { [name in (typeof replayFields)[number]]?: string }

const rules = {
  labels: { failed_since: 'since', until_number: 'until number', per_second: 'events a second' },
}

/** Replays events to an endpoint: select, count, start, then follow the progress. */
export const replays: Page = async (scope, { call }) => {
  scope.get('/dashboard/webhooks/:id/replay', async (request, reply) => {
    const { query } = request
    const { id } = paramsOf(request)
    const zone = zoneOf(request)
    const { endpoint } = await call(request, getEndpoint, { id })
    const { way } = textFields(query, ['way'])
    const crumbs = crumbsOf(endpoint)
    if (way === undefined) return showPage(reply, TITLE, formView(endpoint, zone), { crumbs })
    const counting = call(request, replayEvents, { id, ...replayInput(query, zone), dry_run: true })
    const { output: counted, refused } = await tryForm(reply, counting, rules)
    return counted
      ? showPage(reply, 'Replay these?', countView(id, query, counted.counts), { crumbs })
      : showPage(reply, TITLE, formView(endpoint, zone, query, refused), { crumbs })
  })

  scope.post('/dashboard/webhooks/:id/replays', async (request, reply) => {
    const { id } = paramsOf(request)
    const { replay } = await call(request, replayEvents, {
      id,
      ...replayInput(request.body, zoneOf(request)),
    })
    return replay
      ? redirectDone(reply, `/dashboard/replays/${replay.id}`, 'begun')
      : redirectDone(reply, `/dashboard/webhooks/${id}`, 'replayed')
  })

  scope.get('/dashboard/replays/:id', async (request, reply) => {
    const { replay } = await call(request, getReplay, paramsOf(request))
    const id = replay.endpoint_id
    const target = await unlessRefused(call(request, getEndpoint, { id }), 'endpoint_not_found')
    const url = target?.endpoint.url
    const crumbs = target ? crumbsOf(target.endpoint) : above
    const isActive = replay.status === 'running' || replay.deliveries.in_flight > 0
    const { still } = textFields(request.query, ['still'])
    const path = `/dashboard/replays/${replay.id}`
    if (!isActive) {
      const notice = doneNotice(request, notices, { begun: false })
      return showPage(reply, titleOf(replay), replayView(replay, url), { notice, crumbs })
    }
    if (!still) reply.header('refresh', String(REFRESH_SECONDS))
    const refresh = still
      ? ui.link(path, `Refresh every ${REFRESH_SECONDS} seconds`)
      : html`This page refreshes every ${REFRESH_SECONDS} seconds.
${ui.link(`${path}?still=1`, 'Pause')}`
    return showPage(reply, titleOf(replay), replayView(replay, url, refresh), { crumbs })
  })

  for (const [verb, operation] of [
    ['pause', pauseReplay],
    ['resume', resumeReplay],
    ['cancel', cancelReplay],
  ] as const) {
    scope.post(`/dashboard/replays/:id/${verb}`, async (request, reply) => {
      const question = cancelQuestion(`/dashboard/replays/${paramsOf(request).id}`)
      const subject = () => call(request, getReplay, paramsOf(request))
      if (verb === 'cancel' && (await askFirst(reply, question, subject))) return reply
      const { replay } = await call(request, operation, paramsOf(request))
      return redirectDone(reply, `/dashboard/replays/${replay.id}`, 'changed')
    })
  }
}

const cancelQuestion = (path: string) =>
  ({
    title: 'Cancel the replay?',
    text: 'Events that it has not yet queued are not sent. A cancelled replay cannot be resumed.',
    button: 'Cancel replay',
    back: [path, 'Go on'],
  }) as const

/** The form for selecting events; after a refusal it has the values of `query`. */
function formView({ id, url }: Endpoint, zone: string, query: unknown = {}, refused?: string) {
  const values = textFields(query, replayFields)
  const chosenTypes = checkedValues(query, 'types')
  const { way: selected = 'failures', per_second = '100' } = values
  const time = (label: string, name: keyof typeof values) =>
    ui.field(label, { name, type: 'datetime-local', value: values[name] })
  const number = (label: string, name: keyof typeof values) =>
    ui.field(label, { name, type: 'number', min: '1', value: values[name] })
  const radio = (way: string, label: string, fields: readonly Html[]) => html`
<div class="row"><label class="check"><input type="radio" name="way" value="${way}"${
    way === selected && html` checked`
  }> ${label}</label>${fields}</div>`
  const types = Object.keys(eventOptions).filter((type) => type !== '')
  const rate = { type: 'number', min: '1', max: '1000', value: per_second } as const
  const path = `/dashboard/webhooks/${id}`
  return html`
<p>Events are queued again for <code>${url}</code>, after new ones. Receivers that check
<code>webhook-id</code> process nothing twice.</p>
${ui.alert(refused)}
<form class="stack" method="get" action="${path}/replay">
<fieldset><legend>Which events</legend>
${radio('failures', 'Failed or expired since', [time(`Since (${zone})`, 'failed_since')])}
${radio('times', 'A time range', [time(`From (${zone})`, 'from'), time('Until', 'until')])}
${radio('numbers', 'A range of event numbers', [
  number('From number', 'from_number'),
  number('Until number, included', 'until_number'),
])}
${radio('unsent', 'Never sent to this endpoint', [])}
</fieldset>
<details${chosenTypes.length > 0 && html` open`}><summary>Only some types</summary>
<div class="boxes">${types.map((type) =>
    ui.checkbox(type, 'types', type, chosenTypes.includes(type)),
  )}</div></details>
${ui.field('Rate limit, events per second', { name: 'per_second', ...rate })}
<button class="main">Count events</button></form>`
}

/** The number of matching events, and the button that starts the replay. */
function countView(id: string, query: unknown, counts: ReplayCounts | undefined): Html {
  const { would_send = 0, in_flight = 0, never_attempted = 0 } = counts ?? {}
  const many = ui.grouped(would_send) + (would_send >= MAX_COUNTED ? ' or more' : '')
  const choice = [...replayFields, 'types'].flatMap((name) =>
    checkedValues(query, name).map((value) => ui.hidden(name, value)),
  )
  const path = `/dashboard/webhooks/${id}`
  return html`
${ui.facts([
  ['To be sent', many],
  ['Never sent before', never_attempted],
  ['Still retrying (skipped)', in_flight],
])}
${
  would_send === 0
    ? html`<p>Nothing to replay.</p>`
    : ui.confirmForm(
        `${path}/replays`,
        `Replay ${many} events`,
        [`${path}/replay`, 'Change selection'],
        {
          more: html`${choice}`,
          tone: 'main',
        },
      )
}
${would_send === 0 && html`<p>${ui.link(`${path}/replay`, 'Change selection')}</p>`}`
}

/** The progress of a replay. `refresh` makes the page reload. */
function replayView(replay: Replay, url: string | undefined, refresh?: Html): Html {
  const { id, status, total, queued, skipped, deliveries, endpoint_id } = replay
  const path = `/dashboard/replays/${id}`
  const endpoint = `/dashboard/webhooks/${endpoint_id}`
  return html`
<p>${statusBadge(status)} ${refresh}</p>
<p><progress max="${Math.max(total, 1)}" value="${Math.min(queued + skipped, total)}"
aria-label="Queued so far"></progress>
${ui.grouped(queued)} of ${ui.grouped(total)}${total >= MAX_COUNTED && ' or more'} queued</p>
${
  replay.endpoint_status !== 'active' &&
  html`<p>The ${ui.link(endpoint, 'endpoint')} is ${replay.endpoint_status},
so the replay is on hold.</p>`
}
<div class="row">${status === 'running' && ui.actionForm(`${path}/pause`, 'Pause')}
${status === 'paused' && ui.actionForm(`${path}/resume`, 'Resume')}
${
  (status === 'running' || status === 'paused') &&
  ui.actionForm(`${path}/cancel`, 'Cancel replay', { tone: 'danger' })
}</div>
${ui.facts([
  ['Replay', ui.copyable(id)],
  ['Endpoint', url ? ui.link(endpoint, url) : 'deleted'],
  ['Delivered', deliveries.delivered],
  ['In flight', deliveries.in_flight],
  ['Not delivered', deliveries.not_delivered],
  ['Skipped', skipped],
  ['Rate limit, events per second', replay.per_second],
  ['Started', ui.when(replay.created_at)],
])}
<h2>Selection</h2>
${selectionView(replay)}`
}

const optionalNumber = (text: string | undefined) => (text ? Number(text) : undefined)

/** The submitted form as input for the operation; only fields of the chosen option count. */
function replayInput(source: unknown, zone: string): Record<string, unknown> {
  const fields = textFields(source, replayFields)
  const types = checkedValues(source, 'types')
  return {
    ...choiceOf(fields, zone),
    types: types.length > 0 ? types : undefined,
    per_second: optionalNumber(fields.per_second),
  }
}

function choiceOf(fields: Fields, zone: string): Record<string, unknown> {
  switch (fields.way) {
    case 'failures':
      return { failed_since: instantIn(zone, fields.failed_since) ?? '' }
    case 'times':
      return {
        from: instantIn(zone, fields.from) ?? '',
        until: instantIn(zone, fields.until),
      }
    case 'numbers':
      return {
        from_number: Number(fields.from_number),
        until_number: optionalNumber(fields.until_number),
      }
    case 'unsent':
      return { never_attempted: true }
    case 'events':
      return { events: fields.events?.split(',') ?? [] }
    default:
      return {}
  }
}

const names: Readonly<Record<string, string>> = {
  failed_since: 'Failed or expired since',
  never_attempted: 'Never sent to this endpoint',
  from_number: 'From number',
  until_number: 'Until number, included',
  from: 'From',
  until: 'Until',
  events: 'Events',
  types: 'Types',
}

/** The events selected for a replay, in words. */
const selectionView = ({ chosen }: Pick<Replay, 'chosen'>): Html =>
  ui.facts(Object.entries(chosen).map(([name, value]) => [names[name] ?? name, cellOf(value)]))

function cellOf(value: unknown): Html {
  if (value === true) return html`yes`
  const isInstant = typeof value === 'string' && !Number.isNaN(Date.parse(value))
  if (isInstant) return ui.when(value)
  return html`${Array.isArray(value) ? value.join(', ') : String(value)}`
}
