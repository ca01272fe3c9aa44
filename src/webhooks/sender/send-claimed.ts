import { isOpen } from '../rules/breaker.ts'
import { burstGapMs } from '../rules/concurrency.ts'
import { unixSeconds } from '../rules/sent-headers.ts'
import { failOverdue } from '../store/batches.ts'
import { claimTime } from '../store/claim-statement.ts'
import { claimDue, type DeliveryClaim } from '../store/claims.ts'
import { takeReplayPage } from '../store/replay-pages.ts'
import { type Batch, type CompletedRequest, forgetUrl, isSameUrl } from './batch.ts'
import { sendRequest } from './send-request.ts'

/** Enqueues a page of a running replay, then claims up to `limit` due deliveries and sends them. */
export async function sendClaimed(batch: Batch, limit: number): Promise<number> {
  const { deps, start, endpoint, state, replayAt } = batch
  const { rate_per_second, is_fifo: isFifo } = endpoint
  const at = batch.now()
  const isProbe = isOpen(state.breaker)
  if (replayAt && replayAt <= at) {
    batch.replayAt = (await takeReplayPage(deps.db, start.endpointId, at)).nextAt
  }
  const time = claimTime(start, batch.now())
  const most = { limit, isFifo, isProbe }
  const { claims, overdue } = await claimDue(deps.db, start.endpointId, time, most)
  // If one delivery is overdue, others are too, and every claim would begin with them.
  if (overdue > 0 || isProbe) await failOverdue(deps.db, start.endpointId, at)
  batch.claimed += claims.length
  batch.isDrained = claims.length + overdue < limit
  if (rate_per_second !== null) {
    batch.paceAt = at.getTime() + burstGapMs(rate_per_second, claims.length)
  }
  const [first] = claims
  if (first && !isSameUrl(batch, first)) forgetUrl(batch, first.proved_at)
  for (const claim of claims) batch.inFlight.start(() => send(batch, claim))
  return claims.length
}

/** The delay of a first attempt, if its receiver is neither failing nor rate-limited. */
function lagOf({ endpoint, now }: Batch, { number, cause, due_at }: DeliveryClaim) {
  const isHeldBack =
    endpoint.failing_since !== null || endpoint.rate_per_second !== null || endpoint.is_fifo
  if (number > 1 || cause !== 'schedule' || isHeldBack) return undefined
  return due_at ? now().getTime() - due_at.getTime() : undefined
}

/** A request that cannot be signed is not sent; the batch then fails at its end. */
async function send(batch: Batch, claim: DeliveryClaim): Promise<CompletedRequest> {
  const { event_id: id, url, body, cause, signed_at } = claim
  const timestamp = unixSeconds(signed_at)
  try {
    const about = { id, timestamp, url, body, cause, who: batch.endpoint.limited_as }
    const lagMs = lagOf(batch, claim)
    const request = { ...about, lagMs, ...(await batch.secrets.open(claim)) }
    return { claim, exchange: await sendRequest(batch.deps, request, batch.signal) }
  } catch (error) {
    batch.failed ??= { error }
    const exchange = { outcome: { failure: 'internal', sent: false }, response: null, ms: 0 }
    return { claim, exchange }
  }
}
