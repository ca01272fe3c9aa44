import { shareOf } from '../rules/retry-schedule.ts'
import type { SentLine } from '../rules/sending.ts'
import { judge, type Verdict } from '../rules/verdict.ts'
import type { Settled } from '../store/attempts.ts'
import { type Batch, type CompletedRequest, isKnown, moveTo } from './batch.ts'
import { adjustConcurrency, applyVerdict } from './endpoint-state.ts'
import { persist } from './persist.ts'
import type { Sent } from './send-request.ts'

/** Judges what has come back and writes it down together, with what it says of the endpoint. */
export async function recordCompleted(batch: Batch): Promise<void> {
  const { deps, start, seed, inFlight, warnedAt, provedAt, state: before } = batch
  const { isFifo } = batch.endpoint
  const takeCompleted = inFlight.takeCompleted()
  if (takeCompleted.length === 0) return
  const at = batch.now()
  const settled: Settled[] = []
  for (const { claim, sent } of takeCompleted) {
    const share = shareOf(seed, `${claim.deliveryId}/${claim.number}`)
    const verdict = judge(sent.outcome, claim, at, share)
    if (isKnown(batch, claim)) {
      batch.state = applyVerdict(
        batch.state,
        { verdict, cause: claim.cause, share },
        { isFifo, at },
      )
    }
    settled.push(settledBy(claim.attemptId, sent, verdict))
    batch.sent.push(lineOf({ claim, sent }, verdict))
  }
  const learnt = { settled, before, after: batch.state, warnedAt, provedAt }
  const effect = await persist(deps.db, start, learnt, at)
  if (effect === 'disabled') {
    batch.status = 'disabled'
    deps.log.warn({ endpoint_id: start.endpointId }, 'an endpoint was disabled for its answers')
  }
  if (effect === 'warned') batch.warnedAt = at
  if (effect === 'moved') return moveTo(batch, null)
  const slowestMs = Math.max(...takeCompleted.map(({ sent }) => sent.ms))
  const hasFailed = settled.some(({ verdict }) => verdict.counts && verdict.failure !== null)
  batch.state = adjustConcurrency(batch.state, { slowestMs, hasFailed, isFifo })
}

/** An attempt as it is written down once it is over. */
export const settledBy = (attemptId: string, { answer, ms }: Sent, verdict: Verdict): Settled => ({
  attemptId,
  ms,
  httpStatus: answer?.httpStatus ?? null,
  answer,
  verdict,
})

function lineOf({ claim, sent }: CompletedRequest, { attempt, failure }: Verdict): SentLine {
  return {
    delivery: claim.deliveryId,
    attempt: claim.number,
    cause: claim.cause,
    status: attempt,
    ...(sent.answer && { http: sent.answer.httpStatus }),
    ...(failure !== null && { failure }),
    ms: sent.ms,
  }
}
