import type { FastifyInstance } from 'fastify'
import {
  cancelReplay,
  pauseReplay,
  resumeReplay,
} from '../../../../webhooks/operations/change-replay.ts'
import { getEndpoint } from '../../../../webhooks/operations/read-endpoints.ts'
import { getReplay } from '../../../../webhooks/operations/read-replays.ts'
import { replayEvents } from '../../../../webhooks/operations/replay-events.ts'
import { eventFilters } from '../../../../webhooks/rules/event-types.ts'
import { type Endpoint, MAX_COUNTED } from '../../../../webhooks/schema/endpoints.ts'
import type { Replay, ReplayCounts } from '../../../../webhooks/schema/replays.ts'
import { codeBlock, copyable, jsonText } from '../../components/code.ts'
import { actionForm, checkbox, field, formId } from '../../components/form.ts'
import { facts } from '../../components/table.ts'
import { when } from '../../components/time.ts'
import { doneNotice, tryForm } from '../../forms.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { given, idOf, ticked } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { replayBadge } from '../status-badges.ts'
import { backToEndpoint } from './endpoint-done.ts'
import { replayLabels, replayRequest, replayWays } from './replay-request.ts'

const section = 'webhooks'
const LOOK_AGAIN_SECONDS = 3

const done = {
  begun: 'Replay started.',
  changed: 'Saved.',
}

/** Having events delivered again: counted first, then begun, then watched. */
export async function replays(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get('/dashboard/webhooks/:id/replay', async (request, reply) => {
    const id = idOf(request)
    const { endpoint } = await call(request, getEndpoint, { id })
    const { way } = given(request.query, ['way'])
    if (way === undefined) {
      const view = { title: 'Replay and recover', section, body: replayFormView(endpoint) } as const
      return sendPage(reply, dashboardPage(request, view))
    }
    const asked = { id, ...replayRequest(request.query), dry_run: true }
    const counting = call(request, replayEvents, asked)
    const { done: counted, refused } = await tryForm(counting, replayLabels)
    if (refused) {
      const tried = { chosen: request.query, refused: refused.words }
      const body = replayFormView(endpoint, tried)
      const view = { title: 'Replay and recover', section, body } as const
      return sendPage(reply.code(refused.status), dashboardPage(request, view))
    }
    const { counts } = counted
    const body = replayCountView(endpoint, request.query, counts)
    return sendPage(reply, dashboardPage(request, { title: 'Replay these?', section, body }))
  })

  scope.post('/dashboard/webhooks/:id/replays', async (request, reply) => {
    const id = idOf(request)
    const { form } = given(request.body, ['form'])
    const asked = { id, ...replayRequest(request.body), ...(form && { idempotency_key: form }) }
    const { replay } = await call(request, replayEvents, asked)
    if (!replay) return backToEndpoint(request, reply, 'replayed')
    return reply.redirect(`/dashboard/replays/${replay.id}?done=begun`, 303)
  })

  scope.get('/dashboard/replays/:id', async (request, reply) => {
    const { replay } = await call(request, getReplay, { id: idOf(request) })
    const isMoving = replay.status === 'running' || replay.deliveries.in_flight > 0
    const { still } = given(request.query, ['still'])
    const looks = isMoving && !still
    if (looks) reply.header('refresh', String(LOOK_AGAIN_SECONDS))
    const body = replayView(replay, { isMoving, looks })
    const notice = isMoving ? undefined : doneNotice(request, done)
    return sendPage(reply, dashboardPage(request, { title: 'Replay', section, body, notice }))
  })

  for (const [word, operation] of [
    ['pause', pauseReplay],
    ['resume', resumeReplay],
    ['cancel', cancelReplay],
  ] as const) {
    scope.post(`/dashboard/replays/:id/${word}`, async (request, reply) => {
      const { replay } = await call(request, operation, { id: idOf(request) })
      return reply.redirect(`/dashboard/replays/${replay.id}?done=changed`, 303)
    })
  }
}

const names = [
  'way',
  'failed_since',
  'from',
  'until',
  'from_number',
  'until_number',
  'per_second',
] as const

/** What a form chose that was refused, and why. */
type TriedReplay = { chosen: unknown; refused: string }

const radio = (way: keyof typeof replayWays, chosen: string, more: Html): Html => html`
<div class="row"><label class="check"><input type="radio" name="way" value="${way}"${way === chosen ? html` checked` : ''}> ${replayWays[way]}</label>${more}</div>`

/** Which events to have delivered again, as it was chosen where that was refused. Nothing happens yet: they are counted next. */
function replayFormView({ id, url }: Endpoint, tried?: TriedReplay): Html {
  const said = given(tried?.chosen, names)
  const types = ticked(tried?.chosen, 'types')
  const { way = 'failures' } = said
  const time = (label: string, name: (typeof names)[number]) =>
    field(label, { name, type: 'datetime-local', value: said[name] ?? '' })
  const number = (label: string, name: (typeof names)[number]) =>
    field(label, { name, type: 'number', min: '1', value: said[name] ?? '' })
  const rate = { type: 'number', min: '1', max: '1000', value: said.per_second ?? '100' } as const
  return html`
<p>Events are queued again for <code>${url}</code>, after new ones. Receivers that check <code>webhook-id</code> process nothing twice.</p>
${tried ? html`<p role="alert">${tried.refused}</p>` : ''}
<form class="stack" method="get" action="/dashboard/webhooks/${id}/replay">
<fieldset><legend>Which events</legend>
${radio('failures', way, time('Since (UTC)', 'failed_since'))}
${radio('times', way, html`${time('From (UTC)', 'from')}${time('Until (UTC)', 'until')}`)}
${radio('numbers', way, html`${number('From number', 'from_number')}${number('Until number, included', 'until_number')}`)}
${radio('unsent', way, html``)}
</fieldset>
<details${types.length > 0 ? html` open` : ''}><summary>Only some types</summary><div class="row">${eventFilters.filter((one) => one !== '*').map((one) => checkbox(one, 'types', one, types.includes(one)))}</div></details>
${field('Rate limit, events per second', { name: 'per_second', ...rate })}
<button>Count events</button></form>
<p><a href="/dashboard/webhooks/${id}">Back to the endpoint</a></p>`
}

/** What a replay comes to, and the button that begins it. */
function replayCountView(
  { id }: Endpoint,
  chosen: unknown,
  counts: ReplayCounts | undefined,
): Html {
  const { would_send = 0, in_flight = 0, never_attempted = 0 } = counts ?? {}
  const many = would_send >= MAX_COUNTED ? 'or more' : ''
  return html`
${facts([
  ['To be sent', `${would_send} ${many}`],
  ['Never sent before', never_attempted],
  ['Still retrying (skipped)', in_flight],
])}
${
  would_send === 0
    ? html`<p>Nothing to replay.</p>`
    : html`<form method="post" action="/dashboard/webhooks/${id}/replays">${formId()}${hidden(chosen)}<button class="main">Replay ${would_send} ${many} events</button></form>`
}
<p><a href="/dashboard/webhooks/${id}/replay">Change selection</a> · <a href="/dashboard/webhooks/${id}">Back to the endpoint</a></p>`
}

/** The choice once more, for the form that begins what was counted. */
const hidden = (chosen: unknown): Html[] =>
  [...names, 'events', 'types'].flatMap((name) =>
    ticked(chosen, name).map(
      (value) => html`<input type="hidden" name="${name}" value="${value}">`,
    ),
  )

/** How far a replay is. What moves is looked at again every three seconds, until somebody has the page keep still. */
function replayView(
  replay: Replay,
  { isMoving, looks }: { isMoving: boolean; looks: boolean },
): Html {
  const { id, status, total, queued, deliveries } = replay
  const path = `/dashboard/replays/${id}`
  return html`
<p>${replayBadge(status)}${isMoving ? looking(path, looks) : ''}</p>
<p><progress max="${Math.max(total, 1)}" value="${Math.min(queued + replay.skipped, total)}" aria-label="Queued so far"></progress> ${queued} of ${total}${total >= MAX_COUNTED ? ' or more' : ''} queued</p>
${replay.endpoint_status === 'active' ? '' : html`<p>The <a href="/dashboard/webhooks/${replay.endpoint_id}">endpoint</a> is ${replay.endpoint_status}, so the replay is on hold.</p>`}
<div class="row">${buttons(path, replay)}</div>
${facts([
  ['Replay', copyable(id)],
  ['Endpoint', html`<a href="/dashboard/webhooks/${replay.endpoint_id}">${replay.endpoint_id}</a>`],
  ['Delivered', deliveries.delivered],
  ['In flight', deliveries.in_flight],
  ['Not delivered', deliveries.not_delivered],
  ['Skipped', replay.skipped],
  ['Rate limit, events per second', replay.per_second],
  ['Started', when(replay.created_at)],
])}
<h2>Selection</h2>
${codeBlock(jsonText(replay.chosen), 'Selection')}`
}

const looking = (path: string, looks: boolean): Html =>
  looks
    ? html` This page refreshes every 3 seconds. <a href="${path}?still=1">Pause</a>`
    : html` <a href="${path}">Refresh every 3 seconds</a>`

function buttons(path: string, { status }: Replay): Html[] {
  if (status !== 'running' && status !== 'paused') return []
  return [
    status === 'running'
      ? actionForm(`${path}/pause`, 'Pause')
      : actionForm(`${path}/resume`, 'Resume'),
    actionForm(`${path}/cancel`, 'Cancel replay', { tone: 'danger' }),
  ]
}
