import { eventFilters } from '../../../webhooks/rules/webhooks.ts'
import { type Endpoint, MOST_COUNTED } from '../../../webhooks/schema/endpoints.ts'
import type { Replay, ReplayCounts } from '../../../webhooks/schema/replays.ts'
import { type Html, html } from '../html.ts'
import { codeBlock, copyable, facts, field, when } from '../parts.ts'
import { actionForm, checkbox, jsonText } from './controls.ts'
import { formId } from './forms.ts'
import { given, ticked } from './query.ts'
import { replayWays } from './replay-request.ts'
import { replayBadge } from './words.ts'

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
export type TriedReplay = { chosen: unknown; refused: string }

const radio = (way: keyof typeof replayWays, chosen: string, more: Html): Html => html`
<div class="row"><label class="check"><input type="radio" name="way" value="${way}"${way === chosen ? html` checked` : ''}> ${replayWays[way]}</label>${more}</div>`

/** Which events to have delivered again, as it was chosen where that was refused. Nothing happens yet: they are counted next. */
export function replayFormView({ id, url }: Endpoint, tried?: TriedReplay): Html {
  const said = given(tried?.chosen, names)
  const types = ticked(tried?.chosen, 'types')
  const { way = 'failures' } = said
  const time = (label: string, name: (typeof names)[number]) =>
    field(label, { name, type: 'datetime-local', value: said[name] ?? '' })
  const number = (label: string, name: (typeof names)[number]) =>
    field(label, { name, type: 'number', min: '1', value: said[name] ?? '' })
  const rate = { type: 'number', min: '1', max: '1000', value: said.per_second ?? '100' } as const
  return html`
<p>Events are put up again for <code>${url}</code>, behind what is new. A receiver that remembers <code>webhook-id</code> does nothing twice.</p>
${tried ? html`<p role="alert">${tried.refused}</p>` : ''}
<form class="stack" method="get" action="/dashboard/webhooks/${id}/replay">
<fieldset><legend>Which events</legend>
${radio('failures', way, time('Since (UTC)', 'failed_since'))}
${radio('times', way, html`${time('From (UTC)', 'from')}${time('Until (UTC)', 'until')}`)}
${radio('numbers', way, html`${number('From number', 'from_number')}${number('Until number, included', 'until_number')}`)}
${radio('unsent', way, html``)}
</fieldset>
<details${types.length > 0 ? html` open` : ''}><summary>Only some types</summary><div class="row">${eventFilters.filter((one) => one !== '*').map((one) => checkbox(one, 'types', one, types.includes(one)))}</div></details>
${field('Events a second, at most', { name: 'per_second', ...rate })}
<button>Count them first</button></form>
<p><a href="/dashboard/webhooks/${id}">Back to the endpoint</a></p>`
}

/** What a replay comes to, and the button that begins it. */
export function replayCountView(
  { id }: Endpoint,
  chosen: unknown,
  counts: ReplayCounts | undefined,
): Html {
  const { would_send = 0, under_way = 0, never_attempted = 0 } = counts ?? {}
  const many = would_send >= MOST_COUNTED ? 'or more' : ''
  return html`
${facts([
  ['Would be sent', `${would_send} ${many}`],
  ['Never sent before', never_attempted],
  ['Under way, left alone', under_way],
])}
${
  would_send === 0
    ? html`<p>There is nothing to replay.</p>`
    : html`<form method="post" action="/dashboard/webhooks/${id}/replays">${formId()}${hidden(chosen)}<button class="main">Put up ${would_send} ${many} events again</button></form>`
}
<p><a href="/dashboard/webhooks/${id}/replay">Choose others</a> · <a href="/dashboard/webhooks/${id}">Back to the endpoint</a></p>`
}

/** The choice once more, for the form that begins what was counted. */
const hidden = (chosen: unknown): Html[] =>
  [...names, 'events', 'types'].flatMap((name) =>
    ticked(chosen, name).map(
      (value) => html`<input type="hidden" name="${name}" value="${value}">`,
    ),
  )

/** How far a replay is. What moves is looked at again every three seconds, until somebody has the page keep still. */
export function replayView(
  replay: Replay,
  { isMoving, looks }: { isMoving: boolean; looks: boolean },
): Html {
  const { id, status, total, queued, deliveries } = replay
  const path = `/dashboard/replays/${id}`
  return html`
<p>${replayBadge(status)}${isMoving ? looking(path, looks) : ''}</p>
<p><progress max="${Math.max(total, 1)}" value="${Math.min(queued + replay.left_alone, total)}" aria-label="Put up so far"></progress> ${queued} of ${total}${total >= MOST_COUNTED ? ' or more' : ''} put up</p>
${replay.endpoint_status === 'active' ? '' : html`<p>Its endpoint is ${replay.endpoint_status} and holds the replay: <a href="/dashboard/webhooks/${replay.endpoint_id}">see there</a>.</p>`}
<div class="row">${buttons(path, replay)}</div>
${facts([
  ['Replay', copyable(id)],
  ['Endpoint', html`<a href="/dashboard/webhooks/${replay.endpoint_id}">${replay.endpoint_id}</a>`],
  ['Delivered', deliveries.delivered],
  ['Under way', deliveries.under_way],
  ['Not delivered', deliveries.not_delivered],
  ['Left alone', replay.left_alone],
  ['Events a second, at most', replay.per_second],
  ['Begun', when(replay.created_at)],
])}
<h2>What was chosen</h2>
${codeBlock(jsonText(replay.chosen), 'What was chosen')}`
}

const looking = (path: string, looks: boolean): Html =>
  looks
    ? html` This page looks again every three seconds. <a href="${path}?still=1">Keep it still</a>`
    : html` <a href="${path}">Look every three seconds</a>`

function buttons(path: string, { status }: Replay): Html[] {
  if (status !== 'running' && status !== 'paused') return []
  return [
    status === 'running'
      ? actionForm(`${path}/pause`, 'Pause')
      : actionForm(`${path}/resume`, 'Resume'),
    actionForm(`${path}/cancel`, 'Cancel the replay', { tone: 'danger' }),
  ]
}
