import { isOpen } from '../rules/breaker.ts'
import { burstGapMs } from '../rules/concurrency.ts'
import { failOverdue } from '../store/batches.ts'
import { type Claim, claimDue } from '../store/claims.ts'
import { takeReplayPage } from '../store/replay-pages.ts'
import { type Batch, type CompletedRequest, isKnown, moveTo } from './batch.ts'
import { sendRequest } from './send-request.ts'

/** Takes up to `limit` of what is due, a page of a running replay included, and sends it; answers how much that was. */
export async function takeDue(batch: Batch, limit: number): Promise<number> {
  const { deps, start, endpoint, state, replayAt } = batch
  const { ratePerSecond, isFifo } = endpoint
  const at = batch.now()
  const isProbe = isOpen(state.breaker)
  if (replayAt && replayAt <= at) {
    batch.replayAt = (await takeReplayPage(deps.db, start.endpointId, at)).nextAt
  }
  const time = { at: batch.now(), wall: new Date() }
  const found = await claimDue(deps.db, start.endpointId, time, { limit, isFifo, isProbe })
  const { claims, overdue } = found
  // Where one is past its time others are, and they come first.
  if (overdue > 0 || isProbe) await failOverdue(deps.db, start.endpointId, at)
  batch.taken += claims.length
  batch.isDrained = claims.length + overdue < limit
  if (ratePerSecond !== null) batch.paceAt = at.getTime() + burstGapMs(ratePerSecond, claims.length)
  const [first] = claims
  if (first && !isKnown(batch, first)) moveTo(batch, first.provedAt)
  for (const claim of claims) batch.inFlight.start(() => fly(batch, claim))
  return claims.length
}

/** What cannot be signed is not sent, and fails the batch once the others are back. */
async function fly(batch: Batch, claim: Claim): Promise<CompletedRequest> {
  const { deps, secrets, signal } = batch
  const { eventId: id, url, body, cause, signedWith } = claim
  try {
    const headers = secrets.headersOf(claim.headers)
    const keys = await secrets.of(signedWith)
    const request = { id, url, body, cause, headers, secrets: keys }
    return { claim, sent: await sendRequest(deps, request, signal) }
  } catch (error) {
    batch.failed ??= { error }
    return { claim, sent: { outcome: { failure: 'internal', sent: false }, answer: null, ms: 0 } }
  }
}
