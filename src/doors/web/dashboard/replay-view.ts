import { eventFilters } from '../../../model/webhooks.ts'
import { type Endpoint, MOST_COUNTED } from '../../../schema/endpoints.ts'
import type { Replay, ReplayCounts } from '../../../schema/replays.ts'
import { type Html, html } from '../html.ts'
import { codeBlock, copyable, field, when } from '../parts.ts'
import { actionForm, checkbox, facts, jsonText } from './controls.ts'
import { formId } from './forms.ts'
import { ticked } from './query.ts'
import { replayWays } from './replay-request.ts'
import { replayBadge } from './words.ts'

const radio = (way: keyof typeof replayWays, isChosen: boolean, more: Html): Html => html`
<div class="way"><label class="check"><input type="radio" name="way" value="${way}"${isChosen ? html` checked` : ''}> ${replayWays[way]}</label>${more}</div>`

/** Which events to have delivered again. Nothing happens yet: they are counted next. */
export const replayFormView = ({ id, url }: Endpoint): Html => html`
<p>Events are put up again for <code>${url}</code>, behind what is new. A receiver that remembers <code>webhook-id</code> does nothing twice.</p>
<form method="get" action="/dashboard/webhooks/${id}/replay">
<fieldset><legend>Which events</legend>
${radio('failures', true, field('Since (UTC)', { name: 'failed_since', type: 'datetime-local' }))}
${radio('times', false, html`${field('From (UTC)', { name: 'from', type: 'datetime-local' })}${field('Until (UTC)', { name: 'until', type: 'datetime-local' })}`)}
${radio('numbers', false, html`${field('From number', { name: 'from_number', type: 'number', min: '1' })}${field('Until number, included', { name: 'until_number', type: 'number', min: '1' })}`)}
${radio('unsent', false, html``)}
</fieldset>
<details><summary>Only some types</summary><div class="checks">${eventFilters.filter((one) => one !== '*').map((one) => checkbox(one, 'types', one))}</div></details>
${field('Events a second, at most', { name: 'per_second', type: 'number', min: '1', max: '1000', value: '100' })}
<button>Count them first</button></form>
<p><a href="/dashboard/webhooks/${id}">Back to the endpoint</a></p>`

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
    : html`<form method="post" action="/dashboard/webhooks/${id}/replays">${formId()}${hidden(chosen)}<button>Put up ${would_send} ${many} events again</button></form>`
}
<p><a href="/dashboard/webhooks/${id}/replay">Choose others</a> · <a href="/dashboard/webhooks/${id}">Back to the endpoint</a></p>`
}

const names = ['way', 'failed_since', 'from', 'until', 'from_number', 'until_number', 'per_second']

/** The choice once more, for the form that begins what was counted. */
const hidden = (chosen: unknown): Html[] =>
  [...names, 'types'].flatMap((name) =>
    ticked(chosen, name).map(
      (value) => html`<input type="hidden" name="${name}" value="${value}">`,
    ),
  )

/** How far a replay is. */
export function replayView(replay: Replay, isMoving: boolean): Html {
  const { id, status, total, queued, deliveries } = replay
  const path = `/dashboard/replays/${id}`
  return html`
<p>${replayBadge(status)}${isMoving ? ' This page looks again every three seconds.' : ''}</p>
<p><progress max="${Math.max(total, 1)}" value="${Math.min(queued + replay.left_alone, total)}" aria-label="Put up so far"></progress> ${queued} of ${total}${total >= MOST_COUNTED ? ' or more' : ''} put up</p>
${replay.endpoint_status === 'active' ? '' : html`<p>Its endpoint is ${replay.endpoint_status} and holds the replay: <a href="/dashboard/webhooks/${replay.endpoint_id}">see there</a>.</p>`}
<div class="actions">${buttons(path, replay)}</div>
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

function buttons(path: string, { status }: Replay): Html[] {
  if (status !== 'running' && status !== 'paused') return []
  return [
    status === 'running'
      ? actionForm(`${path}/pause`, 'Pause', { tone: 'plain' })
      : actionForm(`${path}/resume`, 'Resume'),
    actionForm(`${path}/cancel`, 'Cancel the replay', { tone: 'danger' }),
  ]
}
