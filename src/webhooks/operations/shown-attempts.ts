import type { Context } from '../../contract/operation.ts'
import { HIDDEN, sentHeaders, unixSeconds } from '../rules/sent-headers.ts'
import type { Attempt } from '../schema/deliveries.ts'
import { type StoredAttempt, selectAttemptsOf } from '../store/delivery-attempts.ts'
import { selectKeys, signingKeyContext } from '../store/signing-keys.ts'

/** A delivery of the caller's account; `body` is null until it is first sent. */
type SentDelivery = { id: string; body: string | null }

/**
 * A delivery's attempts, newest first, with their signatures. Signatures are recomputed from the
 * secrets, and hidden if a secret was erased or the attempt predates the storage of signing times.
 */
export async function shownAttempts(ctx: Context, delivery: SentDelivery): Promise<Attempt[]> {
  const attempts = await selectAttemptsOf(ctx.db, delivery.id)
  const ids = new Set(attempts.flatMap(({ signed_with }) => signed_with))
  const keys = ids.size > 0 ? await selectKeys(ctx.db, [...ids]) : []
  const secrets = new Map(
    keys.map(({ id, secret }) => [id, ctx.egress.open(secret, signingKeyContext(id))]),
  )
  return attempts.map((attempt) => attemptOf(ctx, attempt, delivery.body, secrets))
}

function attemptOf(
  { egress }: Context,
  { signed_at, started_at, url, signed_with, event_id, header_names, ...row }: StoredAttempt,
  body: string | null,
  secrets: ReadonlyMap<string, string>,
): Attempt {
  const signature = (keyId: string) => {
    const secret = secrets.get(keyId)
    if (secret === undefined || signed_at === null || body === null) return `v1,${HIDDEN}`
    return egress.sign(secret, { id: event_id, timestamp: unixSeconds(signed_at), body })
  }
  const headers = sentHeaders({
    eventId: event_id,
    signedAt: signed_at ?? started_at,
    signatures: signed_with.map(signature),
    customNames: header_names,
  })
  const request = { method: 'POST' as const, url, headers, signed_with }
  return { ...row, started_at: started_at.toISOString(), request }
}
