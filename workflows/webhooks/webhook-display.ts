import { defineSearchAttributeKey } from '@temporalio/common'
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow'
import { searchAttributeTypes as types } from '../../src/contract/rules/task-queues.ts'
import type { Pace, SendReport, WaitReason } from '../../src/webhooks/rules/batch-messages.ts'
import { isOpen } from '../../src/webhooks/rules/breaker.ts'
import type { DeliveryProgress, EndpointStart } from '../../src/webhooks/rules/endpoint-messages.ts'

const endpointId = defineSearchAttributeKey('EndpointId', types.EndpointId)
const accountId = defineSearchAttributeKey('AccountId', types.AccountId)

/** Sets the search attributes by which operators find endpoints in the Temporal UI. */
export function describeEndpoint(start: EndpointStart): void {
  upsertSearchAttributes([
    { key: endpointId, value: start.endpointId },
    { key: accountId, value: start.accountId },
  ])
}

/** What the details keep of the past, also when a run continues as new. */
export type EndpointNotes = {
  /** the last commands of the owner and operators, the newest first */
  commands: readonly string[]
}

/** Shows the workflow's progress in the Temporal UI. */
export function showEndpoint(
  start: EndpointStart,
  { phase, summary, failures, concurrency }: DeliveryProgress,
  { commands }: EndpointNotes,
): void {
  const health = failures > 0 ? `${failures} consecutive failures.` : 'The last request succeeded.'
  const lines = [
    `**${phase}**: ${summary}`,
    `${health} Up to ${concurrency} requests at once.`,
    `Endpoint \`${start.endpointId}\``,
    `Account \`${start.accountId}\``,
    ...(commands.length > 0 ? [['Signals', ...commands].join('\n- ')] : []),
  ]
  setCurrentDetails(lines.join('\n\n'))
}

const holds: Record<string, string> = {
  unverified: 'Its URL is not verified; deliveries are held.',
  paused: 'Its owner has paused it; deliveries are held.',
  disabled: 'It is disabled; deliveries are held.',
  deleted: 'It is deleted. Nothing more happens here.',
}

const waits: Record<WaitReason, string> = {
  due: 'The next attempt is due',
  replay: 'The replay continues',
  rate: 'Its rate limit allows the next request',
  breaker: 'It keeps failing; its oldest event is attempted',
  retry_after: 'It asked for a pause (Retry-After) until',
  fifo: 'First in, first out: the first event is attempted again',
}

/** The progress after a batch. */
export function progressAfter(report: SendReport): DeliveryProgress {
  const { endpoint, nextAt, reason, breaker, concurrency } = report
  const at = isoTime(nextAt)
  const state = {
    nextAt: at,
    failures: breaker?.failures ?? 0,
    isOpen: breaker !== null && isOpen(breaker),
    concurrency,
  }
  const held = holds[endpoint]
  if (held) {
    return { ...state, phase: endpoint === 'deleted' ? 'ended' : 'holding', summary: held }
  }
  const summary = at ? `${waits[reason]} ${at}.` : 'Everything is delivered.'
  return { ...state, phase: 'waiting', summary }
}

/** The progress before the first batch of a run. */
export const initialProgress = ({ breaker, concurrency }: Pace): DeliveryProgress => ({
  phase: 'sending',
  summary: 'Sending what is due.',
  nextAt: null,
  failures: breaker?.failures ?? 0,
  isOpen: breaker !== null && isOpen(breaker),
  concurrency,
})

/** The progress after a batch that failed on our side. Its open attempts become unknown. */
export function progressAfterFailure(
  before: DeliveryProgress,
  nextAt: number | null,
): DeliveryProgress {
  const at = isoTime(nextAt)
  const summary = `The last batch failed on our side. The next one begins ${at}.`
  return { ...before, phase: 'failing', summary, nextAt: at }
}

const isoTime = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
