import { concurrencyAfter } from '../rules/concurrency.ts'
import { eventName } from '../rules/event-types.ts'
import { shareOf } from '../rules/retry-schedule.ts'
import { judge } from '../rules/verdict.ts'
import type { AttemptResult } from '../store/attempts.ts'
import { type Batch, forgetUrl, isSameUrl } from './batch.ts'
import { applyVerdict } from './endpoint-state.ts'
import { saveResults } from './save-results.ts'

/** Records completed requests, and their effects on deliveries and endpoint. */
export async function recordCompleted(batch: Batch): Promise<void> {
  const { deps, start, warnedAt, provedAt, state: before } = batch
  const { is_fifo: isFifo } = batch.endpoint
  const completed = batch.inFlight.takeCompleted()
  if (completed.length === 0) return
  const at = batch.now()
  const results: AttemptResult[] = []
  for (const { claim, exchange } of completed) {
    const share = shareOf(batch.seed, `${claim.delivery_id}/${claim.number}`)
    const verdict = judge(exchange.outcome, claim, at, share)
    if (isSameUrl(batch, claim)) {
      const { cause } = claim
      // Replayed deliveries come last, so nothing is waiting for them.
      const isInOrder = isFifo && !claim.is_replayed
      batch.state = applyVerdict(batch.state, { verdict, cause, share, isInOrder, at })
    }
    results.push({ id: claim.attempt_id, exchange, verdict })
    batch.sent.push({
      event: eventName(claim.event_type, claim.event_number),
      attempt: claim.number,
      cause: claim.cause,
      status: verdict.attempt,
      ...('status' in exchange.outcome && { http: exchange.outcome.status }),
      ...(verdict.failure !== null && {
        failure: verdict.failure,
        delivery: claim.delivery_id,
      }),
      ms: exchange.ms,
    })
  }
  const findings = { results, before, after: batch.state, warnedAt, provedAt }
  const effect = await saveResults(deps.db, start, findings, at)
  if (effect === 'disabled') {
    batch.status = 'disabled'
    deps.log.warn({ endpoint_id: start.endpointId }, 'an endpoint was disabled for its responses')
  }
  if (effect === 'warned') batch.warnedAt = at
  if (effect === 'reset') return forgetUrl(batch, null)
  if (isFifo) return
  const slowestMs = Math.max(...completed.map(({ exchange }) => exchange.ms))
  const hasFailed = results.some(
    ({ verdict }) => verdict.reflectsEndpoint && verdict.failure !== null,
  )
  const concurrency = concurrencyAfter(batch.state.concurrency, { slowestMs, hasFailed })
  batch.state = { ...batch.state, concurrency }
}
