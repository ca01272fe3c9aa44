import { turnOf } from '../../base/account-time.ts'
import { transaction } from '../../platform/database/sql.ts'
import type { AttemptOutcome, EndpointStart, SentNow } from '../rules/endpoint-messages.ts'
import { eventName } from '../rules/event-types.ts'
import { unixSeconds } from '../rules/sent-headers.ts'
import { judge } from '../rules/verdict.ts'
import { type AttemptResult, settleRetry } from '../store/attempts.ts'
import { claimTime } from '../store/claim-statement.ts'
import { claimForRetry } from '../store/claims.ts'
import { clearFailures, disableFailedEndpoint } from '../store/endpoint-health.ts'
import { openSecrets } from './endpoint-secrets.ts'
import { type SenderDeps, sendRequest } from './send-request.ts'
import { workflowClock } from './workflow-clock.ts'

/** Sends one delivery, found by its id or its event's. Only a success changes its status. */
export async function retryDelivery(
  deps: SenderDeps,
  start: EndpointStart,
  { id, at }: { id: string; at: number },
  signal: AbortSignal,
): Promise<SentNow> {
  const { db } = deps
  const { endpointId } = start
  const now = workflowClock(start, at)
  const claim = await claimForRetry(db, endpointId, id, claimTime(start, now()))
  if ('refused' in claim) return claim

  const { event_id, url, body, cause, attempt_id, signed_at } = claim
  const timestamp = unixSeconds(signed_at)
  const opened = await openSecrets(deps, endpointId, claim).open(claim)
  const who = turnOf(start)
  const request = { id: event_id, timestamp, url, body, cause, who, ...opened }
  const exchange = await sendRequest(deps, request, signal)
  const verdict = judge(exchange.outcome, claim, now(), 0)
  const result = { id: attempt_id, exchange, verdict }
  await settleRetry(db, result, now())
  const address = { ...start, provedAt: claim.proved_at }
  if (verdict.attempt === 'succeeded') await clearFailures(db, address)
  if (verdict.failure === 'gone') {
    await transaction(db, (tx) => disableFailedEndpoint(tx, address, 'gone', now()))
  }
  return { ...outcomeOf(result), event: eventName(claim.event_type, claim.event_number) }
}

/** The outcome in the form that an update returns. */
export const outcomeOf = ({ id, exchange, verdict }: AttemptResult): AttemptOutcome => ({
  id,
  status: verdict.attempt,
  http_status: 'status' in exchange.outcome ? exchange.outcome.status : null,
  failure: verdict.failure,
  ms: exchange.ms,
})
