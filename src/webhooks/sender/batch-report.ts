import type { SendReport, SentLine, WaitReason } from '../rules/sending.ts'
import type { EndpointStatus } from '../rules/webhooks.ts'
import type { BatchEndpoint } from '../store/batches.ts'
import type { EndpointState } from './endpoint-state.ts'

/** What a batch has come to. `due` is when the endpoint's next delivery is due by itself. */
export type BatchEnd = {
  endpoint: BatchEndpoint
  status: EndpointStatus
  state: EndpointState
  sent: SentLine[]
  paceAt: number
  provedAt: Date | null
  replayAt: Date | null
  due: Date | null
}

/** The batch as its workflow hears of it: when to come again, and why not before. */
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
    keyEndsAt: endpoint.keyEndsAt?.getTime() ?? null,
  }
}

type Next = { at: number; reason: WaitReason }

function nextOf({ state, paceAt, replayAt, due }: BatchEnd): Next | undefined {
  const { waitUntil, waitReason } = state.health
  const work = [
    due && { at: due.getTime(), reason: 'due' as const },
    replayAt && { at: replayAt.getTime(), reason: 'replay' as const },
  ].filter((next) => next !== null)
  const [first] = work.sort((one, other) => one.at - other.at)
  if (!first) return undefined
  const limits: Next[] = [
    { at: paceAt, reason: 'rate' },
    { at: waitUntil?.getTime() ?? 0, reason: waitReason ?? 'due' },
  ]
  return limits.reduce<Next>((latest, one) => (one.at > latest.at ? one : latest), first)
}
