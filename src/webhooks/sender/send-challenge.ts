import type { EndpointStart, SentNow } from '../rules/endpoint-messages.ts'
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
 * Sends a challenge. A 2xx response that contains it verifies the URL and releases held deliveries.
 * Before the first verification the response is not stored: nobody reads foreign pages through us.
 * With `keyId`, that staged key signs alone, to prove that the receiver has it.
 */
export async function sendChallenge(
  deps: SenderDeps,
  { endpointId, accountId }: EndpointStart,
  { at, keyId }: { at: number; keyId: string },
  signal: AbortSignal,
): Promise<SentNow> {
  const { db } = deps
  const now = workflowClock(at)
  const endpoint = await selectOptionalEndpoint(db, accountId, endpointId)
  if (!endpoint) return { refused: 'deleted' }
  if (endpoint.status === 'disabled') return { refused: 'disabled' }
  const keys = keyId
    ? await selectStagedKeys(db, endpointId, keyId)
    : await selectValidKeys(db, endpointId, new Date())
  const signedWith = keys.map(({ id }) => id)
  if (signedWith.length === 0) return { refused: 'no_secret' }

  const { url, headers, challenge, is_verified } = endpoint
  const startedAt = now()
  const id = await insertChallenge(db, endpointId, { url, signedWith, at: startedAt })
  const sealed = { headers, signed_with: signedWith }
  const opened = await openSecrets(deps, endpointId, { headers, keys }).open(sealed)
  const timestamp = startedAt.toISOString()
  const body = JSON.stringify({ id, type: 'endpoint.challenge', timestamp, data: { challenge } })
  const request = { id, url, body, cause: 'challenge', ...opened } as const
  const sent = await sendRequest(deps, request, signal)
  const delivery = { tries: 0, give_up_at: giveUpAt(startedAt) }
  const verdict = judge(sent.outcome, delivery, now(), 0)
  const result = { id, sent, verdict }
  await settleChallenge(db, is_verified ? result : withoutResponse(result))
  if (verdict.attempt === 'succeeded' && sent.response?.body.includes(challenge)) {
    await releaseAndProve(db, { id: endpointId, challenge, at: now() })
  }
  return outcomeOf(result)
}
