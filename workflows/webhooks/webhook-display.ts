import { defineSearchAttributeKey } from '@temporalio/common'
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow'
import { searchAttributeTypes as types } from '../../src/contract/rules/task-queues.ts'
import { isOpen } from '../../src/webhooks/rules/breaker.ts'
import type { Pace, SendReport, WaitReason } from '../../src/webhooks/rules/sending.ts'
import type { DeliveryProgress, EndpointStart } from '../../src/webhooks/rules/webhooks.ts'

const endpointId = defineSearchAttributeKey('EndpointId', types.EndpointId)
const accountId = defineSearchAttributeKey('AccountId', types.AccountId)

/** What an operator can filter endpoints by in the Temporal UI. */
export function describeEndpoint(start: EndpointStart): void {
  upsertSearchAttributes([
    { key: endpointId, value: start.endpointId },
    { key: accountId, value: start.accountId },
  ])
}

/** What the workflow is phase and when it tries next, as the Temporal UI shows it. */
export function showEndpoint(
  start: EndpointStart,
  { phase, summary, failures, concurrency }: DeliveryProgress,
): void {
  const health = failures > 0 ? `${failures} failures in a row.` : 'Its last answer was good.'
  const lines = [
    `**${phase}**: ${summary}`,
    `${health} Up to ${concurrency} requests at the same time.`,
    `Endpoint \`${start.endpointId}\``,
    `Account \`${start.accountId}\``,
  ]
  setCurrentDetails(lines.join('\n\n'))
}

const holds: Record<string, string> = {
  unverified: 'It has to prove itself; what comes is held.',
  paused: 'Its owner has paused it; what comes is held.',
  disabled: 'It is disabled; what comes is held.',
  deleted: 'It is deleted. Nothing more will happen here.',
}

const waits: Record<WaitReason, string> = {
  due: 'The next try is due',
  replay: 'The replay goes on',
  rate: 'Its rate allows more',
  breaker: 'It failed again and again; its oldest event is tried',
  retry_after: 'It asked to be left alone (Retry-After) until',
  fifo: 'The first in order is tried again',
}

/** Where an endpoint stands after a batch. */
export function progressAfter(report: SendReport): DeliveryProgress {
  const { endpoint, nextAt, reason, breaker, concurrency } = report
  const at = nextAt === null ? null : new Date(nextAt).toISOString()
  const state = {
    nextAt: at,
    failures: breaker?.failures ?? 0,
    isOpen: breaker !== null && isOpen(breaker),
    concurrency,
  }
  const held = holds[endpoint]
  if (held) return { ...state, phase: endpoint === 'deleted' ? 'ended' : 'holding', summary: held }
  if (!at) return { ...state, phase: 'waiting', summary: 'Everything is delivered.' }
  return { ...state, phase: 'waiting', summary: `${waits[reason]} ${at}.` }
}

/** Before the first batch of a run. */
export const initialProgress = ({ breaker, concurrency }: Pace): DeliveryProgress => ({
  phase: 'sending',
  summary: 'It sends what is due.',
  nextAt: null,
  failures: breaker?.failures ?? 0,
  isOpen: breaker !== null && isOpen(breaker),
  concurrency,
})

/** After a batch that failed on our side: what it sent is shown as unknown, and sent again. */
export function progressAfterFailure(
  before: DeliveryProgress,
  nextAt: number | null,
): DeliveryProgress {
  const at = nextAt === null ? null : new Date(nextAt).toISOString()
  const summary = `The last batch failed on our side; the next begins ${at}.`
  return { ...before, phase: 'failing', summary, nextAt: at }
}
