import type { AttemptSummary } from '../rules/batch-messages.ts'
import { shareOf } from '../rules/retry-schedule.ts'
import { judge, type Verdict } from '../rules/verdict.ts'
import type { AttemptResult } from '../store/attempts.ts'
import { type Batch, type CompletedRequest, forgetUrl, isSameUrl } from './batch.ts'
import { adjustConcurrency, applyVerdict } from './endpoint-state.ts'
import { saveResults } from './save-results.ts'
import { resultOf } from './send-request.ts'

/**
 * Judges the requests that have completed and records them together with what they say about the
 * endpoint.
 */
export async function recordCompleted(batch: Batch): Promise<void> {
  const { deps, start, warnedAt, provedAt, state: before } = batch
  const { is_fifo: isFifo } = batch.endpoint
  const completed = batch.inFlight.takeCompleted()
  if (completed.length === 0) return
  const at = batch.now()
  const results: AttemptResult[] = []
  for (const { claim, sent } of completed) {
    const share = shareOf(batch.seed, `${claim.delivery_id}/${claim.number}`)
    const verdict = judge(sent.outcome, claim, at, share)
    if (isSameUrl(batch, claim)) {
      const answer = { verdict, cause: claim.cause, share }
      batch.state = applyVerdict(batch.state, answer, { isFifo, at })
    }
    results.push(resultOf(claim.attempt_id, sent, verdict))
    batch.sent.push(summaryOf({ claim, sent }, verdict))
  }
  const findings = { results, before, after: batch.state, warnedAt, provedAt }
  const effect = await saveResults(deps.db, start, findings, at)
  if (effect === 'disabled') {
    batch.status = 'disabled'
    deps.log.warn({ endpoint_id: start.endpointId }, 'an endpoint was disabled for its responses')
  }
  if (effect === 'warned') batch.warnedAt = at
  if (effect === 'moved') return forgetUrl(batch, null)
  const slowestMs = Math.max(...completed.map(({ sent }) => sent.ms))
  const hasFailed = results.some(
    ({ verdict }) => verdict.reflectsEndpoint && verdict.failure !== null,
  )
  batch.state = adjustConcurrency(batch.state, { slowestMs, hasFailed, isFifo })
}

function summaryOf(
  { claim, sent }: CompletedRequest,
  { attempt, failure }: Verdict,
): AttemptSummary {
  return {
    delivery: claim.delivery_id,
    attempt: claim.number,
    cause: claim.cause,
    status: attempt,
    ...(sent.response && { http: sent.response.httpStatus }),
    ...(failure !== null && { failure }),
    ms: sent.ms,
  }
}
