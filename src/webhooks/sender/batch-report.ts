import type { AttemptSummary, SendReport, WaitReason } from '../rules/batch-messages.ts'
import type { EndpointStatus } from '../rules/statuses.ts'
import type { BatchEndpoint } from '../store/batches.ts'
import type { EndpointState } from './endpoint-state.ts'

/** How a batch ended. `due`: when the endpoint's next delivery is due. */
export type BatchEnd = {
  endpoint: BatchEndpoint
  status: EndpointStatus
  state: EndpointState
  sent: AttemptSummary[]
  paceAt: number
  provedAt: Date | null
  replayAt: Date | null
  due: Date | null
}

/** The report to the workflow: what was sent, when to send again, and why not earlier. */
export function reportOf(end: BatchEnd): SendReport {
  const { endpoint, status, state, sent, paceAt, provedAt } = end
  const next = status === 'active' ? nextOf(end) : undefined
  return {
    endpoint: status,
    sent,
    recovered: endpoint.recovered,
    breaker: state.breaker,
    concurrency: state.concurrency,
    paceAt,
    provedAt: provedAt?.getTime() ?? null,
    nextAt: next?.at ?? null,
    reason: next?.reason ?? 'due',
    keyEndsAt: endpoint.key_ends_at?.getTime() ?? null,
  }
}

type Next = { at: number; reason: WaitReason }

/** The earliest work, or the latest limit where that is later. */
function nextOf({ state, paceAt, replayAt, due }: BatchEnd): Next | undefined {
  const { wait_until, wait_reason } = state.health
  const work: Next[] = []
  if (due) work.push({ at: due.getTime(), reason: 'due' })
  if (replayAt) work.push({ at: replayAt.getTime(), reason: 'replay' })
  const [first] = work.sort((one, other) => one.at - other.at)
  if (!first) return undefined
  const limits: Next[] = [
    { at: paceAt, reason: 'rate' },
    { at: wait_until?.getTime() ?? 0, reason: wait_reason ?? 'due' },
  ]
  return limits.reduce<Next>((latest, one) => (one.at > latest.at ? one : latest), first)
}
