import type { SendReport, WaitReason } from '../rules/batch-messages.ts'
import type { Batch } from './batch.ts'

/** The report to the workflow. `due`: when the endpoint's next delivery is due. */
export function reportOf(batch: Batch, due: Date | null): SendReport {
  const { endpoint, status, state, sent, paceAt, provedAt } = batch
  const next = status === 'active' ? nextOf(batch, due) : undefined
  return {
    endpoint: status,
    host: URL.parse(endpoint.url)?.host ?? '',
    heldBy: endpoint.status_reason,
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

/** When work is first due, or when the last limit ends if that is later. */
function nextOf({ state, paceAt, replayAt }: Batch, due: Date | null): Next | undefined {
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
