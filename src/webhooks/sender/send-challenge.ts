import { timeOf, turnOf } from '../../base/account-time.ts'
import { sign } from '../../platform/http/signature.ts'
import type { EndpointStart, SentNow } from '../rules/endpoint-messages.ts'
import { unixSeconds } from '../rules/sent-headers.ts'
import { judge } from '../rules/verdict.ts'
import { releaseAndProve } from '../steps/prove-endpoint.ts'
import { insertChallenge, settleChallenge, withoutResponse } from '../store/attempts.ts'
import { selectOptionalEndpoint } from '../store/endpoints.ts'
import { giveUpAt } from '../store/outbox.ts'
import { selectStagedKeys, selectValidKeys } from '../store/signing-keys.ts'
import { openSecrets } from './endpoint-secrets.ts'
import { outcomeOf } from './retry-delivery.ts'
import { type SenderDeps, sendRequest } from './send-request.ts'
import { workflowClock } from './workflow-clock.ts'

/**
 * Sends a challenge. A 2xx response that contains its signature, over the id and timestamp of this
 * request, verifies the URL and releases held deliveries; an echo cannot contain it. An unverified
 * URL gets no custom headers, and its response is not stored, so that nobody can read private pages
 * through us. With `keyId`, only that staged key signs, proving that the receiver has it.
 */
export async function sendChallenge(
  deps: SenderDeps,
  start: EndpointStart,
  { at, keyId }: { at: number; keyId: string },
  signal: AbortSignal,
): Promise<SentNow> {
  const { db } = deps
  const { endpointId, accountId } = start
  const now = workflowClock(start, at)
  const endpoint = await selectOptionalEndpoint(db, accountId, endpointId)
  if (!endpoint) return { refused: 'deleted' }
  if (endpoint.status === 'disabled') return { refused: 'disabled' }
  const keys = keyId
    ? await selectStagedKeys(db, endpointId, keyId)
    : await selectValidKeys(db, endpointId, timeOf(start))
  const signedWith = keys.map(({ id }) => id)
  if (signedWith.length === 0) return { refused: 'no_secret' }

  const { url, challenge, is_proved } = endpoint
  const headers = is_proved ? endpoint.headers : null
  const startedAt = now()
  const id = await insertChallenge(db, endpointId, { url, signedWith, at: startedAt })
  const sealed = { headers, signed_with: signedWith }
  const opened = await openSecrets(deps, endpointId, { headers, keys }).open(sealed)
  const body = JSON.stringify({
    id,
    type: 'endpoint.challenge',
    timestamp: startedAt.toISOString(),
    data: { challenge },
  })
  const timestamp = unixSeconds(new Date())
  const about = { id, timestamp, url, body, cause: 'challenge', who: turnOf(start) } as const
  const request = { ...about, ...opened }
  const exchange = await sendRequest(deps, request, signal)
  const delivery = { tries: 0, give_up_at: giveUpAt(startedAt) }
  const verdict = judge(exchange.outcome, delivery, now(), 0)
  const result = { id, exchange, verdict }
  await settleChallenge(db, is_proved ? result : withoutResponse(result))
  const proofs = sign(opened.secrets, { id, timestamp, body: challenge }).split(' ')
  const isProof = proofs.some((proof) => exchange.response?.body.includes(proof))
  if (verdict.attempt === 'succeeded' && isProof) {
    await releaseAndProve(db, { id: endpointId, challenge, at: now() })
  }
  return outcomeOf(result)
}
