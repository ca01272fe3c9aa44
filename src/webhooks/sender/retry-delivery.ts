import { transaction } from '../../platform/database/sql.ts'
import { judge, type Verdict } from '../rules/verdict.ts'
import type { AttemptOutcome, EndpointStart, SentNow } from '../rules/webhooks.ts'
import { settleRetry } from '../store/attempts.ts'
import { claimForRetry } from '../store/claims.ts'
import { disableFailedEndpoint } from '../store/endpoint-health.ts'
import { clearFailing } from '../store/outgoing.ts'
import { openSecrets } from './endpoint-secrets.ts'
import { settledBy } from './record-completed.ts'
import { type SenderDeps, type Sent, sendRequest } from './send-request.ts'
import { workflowClock } from './workflow-clock.ts'

/**
 * Sends one delivery now, as its owner wants, whatever its status and schedule: both stay as they are unless it arrives. A success
 * also says that the endpoint fails no longer.
 */
export async function retryDelivery(
  deps: SenderDeps,
  start: EndpointStart,
  { deliveryId, at }: { deliveryId: string; at: number },
  signal: AbortSignal,
): Promise<SentNow> {
  const { db } = deps
  const { endpointId } = start
  const now = workflowClock(at)
  const claim = await claimForRetry(db, endpointId, deliveryId, { at: now(), wall: new Date() })
  if ('refused' in claim) return claim

  const { eventId: id, url, body, cause, attemptId } = claim
  const secrets = openSecrets(deps, endpointId, claim)
  const request = { id, url, body, cause, headers: secrets.headersOf(claim.headers) }
  const sent = await sendRequest(
    deps,
    { ...request, secrets: await secrets.of(claim.signedWith) },
    signal,
  )
  const verdict = judge(sent.outcome, claim, now(), 0)
  await settleRetry(db, settledBy(attemptId, sent, verdict), now())
  const address = { ...start, provedAt: claim.provedAt }
  if (verdict.attempt === 'succeeded') await clearFailing(db, address)
  if (verdict.failure === 'gone') {
    await transaction(db, (tx) => disableFailedEndpoint(tx, address, 'gone', now()))
  }
  return outcomeOf(attemptId, sent, verdict)
}

/** An attempt as whoever asked for it is answered. */
export const outcomeOf = (attemptId: string, sent: Sent, verdict: Verdict): AttemptOutcome => ({
  attemptId,
  status: verdict.attempt,
  httpStatus: sent.answer?.httpStatus ?? null,
  failure: verdict.failure,
  ms: sent.ms,
})
