import { judge } from '../rules/verdict.ts'
import type { EndpointStart, SentNow } from '../rules/webhooks.ts'
import { insertChallenge, settleChallenge } from '../store/attempts.ts'
import { proveEndpoint } from '../store/endpoint-states.ts'
import { releaseHeld } from '../store/held-deliveries.ts'
import { giveUpAt } from '../store/outbox.ts'
import { selectOptionalOutgoing } from '../store/outgoing.ts'
import { selectStagedKeys, selectValidKeys } from '../store/valid-keys.ts'
import { openSecrets } from './endpoint-secrets.ts'
import { settledBy } from './record-completed.ts'
import { outcomeOf } from './retry-delivery.ts'
import { type SenderDeps, sendRequest } from './send-request.ts'
import { workflowClock } from './workflow-clock.ts'

/**
 * Asks an endpoint to repeat its challenge. It has proved itself when a 2xx answer contains it; then what it holds is released. Of an
 * endpoint that never has, only the status of the answer is kept: nobody reads what belongs to others through us. With `keyId` a staged
 * key signs it alone: a receiver that takes it has that secret.
 */
export async function sendChallenge(
  deps: SenderDeps,
  { endpointId }: EndpointStart,
  { at, keyId }: { at: number; keyId: string },
  signal: AbortSignal,
): Promise<SentNow> {
  const { db } = deps
  const now = workflowClock(at)
  const endpoint = await selectOptionalOutgoing(db, endpointId)
  if (!endpoint) return { refused: 'deleted' }
  if (endpoint.status === 'disabled') return { refused: 'disabled' }
  const keys = keyId
    ? await selectStagedKeys(db, endpointId, keyId)
    : await selectValidKeys(db, endpointId, new Date())
  const signedWith = keys.map(({ id }) => id)
  if (signedWith.length === 0) return { refused: 'no_secret' }

  const { url, challenge, isVerified } = endpoint
  const startedAt = now()
  const id = await insertChallenge(db, { endpointId, url, signedWith }, startedAt)
  const secrets = openSecrets(deps, endpointId, endpoint)
  const body = JSON.stringify({
    id,
    type: 'endpoint.challenge',
    timestamp: startedAt.toISOString(),
    data: { challenge },
  })
  const request = {
    id,
    url,
    body,
    cause: 'challenge',
    headers: secrets.headersOf(endpoint.headers),
  } as const
  const sent = await sendRequest(
    deps,
    { ...request, secrets: await secrets.of(signedWith) },
    signal,
  )
  const verdict = judge(sent.outcome, { tries: 0, giveUpAt: giveUpAt(startedAt) }, now(), 0)
  const settled = settledBy(id, sent, verdict)
  await settleChallenge(db, isVerified ? settled : { ...settled, answer: null })
  if (verdict.attempt === 'succeeded' && sent.answer?.body.includes(challenge)) {
    const proof = { id: endpointId, challenge, at: now() }
    // What is held is released first, so that nothing is sent that is past its time.
    const holding = { id: endpointId, status: 'unverified', at: proof.at } as const
    await releaseHeld(db, holding, (tx) => proveEndpoint(tx, proof))
    await proveEndpoint(db, proof)
  }
  return outcomeOf(id, sent, verdict)
}
