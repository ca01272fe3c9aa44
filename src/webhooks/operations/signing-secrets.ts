import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { invalidRequest, refuse } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import * as shared from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import { accountOf, presentOf } from '../../contract/operation.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { updateUseSubject } from '../../platform/database/used-keys.ts'
import type { WebhookContext } from '../engine.ts'
import { endpoint } from '../schema/endpoints.ts'
import { addKey, type Rotation } from '../steps/add-key.ts'
import {
  markKeyShown,
  type SigningKey,
  selectSigningKeys,
  signingKeyContext,
} from '../store/signing-keys.ts'
import * as fields from './endpoint-fields.ts'
import { lockOwnEndpoint, ownEndpoint, signalEndpoint } from './own-endpoint.ts'

export const secretInput = z.strictObject({
  id: fields.endpointId,
  secret: fields.secret.optional(),
  idempotency_key: shared.idempotencyKey.optional(),
})
export const secretOutput = z.object({
  endpoint,
  key_id: z.uuid(),
  secret: fields.shownSecret,
  replayed: shared.replayed.optional(),
})

/** The secret given by the caller, or a new one. Throws `invalid_request` without echoing it. */
export function secretFrom({ egress }: WebhookContext, secret: string | undefined): string {
  if (secret === undefined) return egress.newSecret()
  if (egress.isSecret(secret)) return secret
  const detail = 'expected `whsec_` and 24 to 64 random bytes in base64'
  throw invalidRequest([{ pointer: '/secret', detail }])
}

/**
 * Adds a secret, once per idempotency key. Only the first answer shows it. A rotation without a
 * given secret shows the secret from an operator's rotation, if the owner has not seen it.
 */
export async function addSecret(
  ctx: WebhookContext,
  { idempotency_key: key, ...request }: z.output<typeof secretInput>,
  how: Rotation,
) {
  const { id } = request
  const secret = secretFrom(ctx, request.secret)
  const keyId = randomUUIDv7()
  const operation = 'revoke' in how ? 'revocation' : 'rotation'
  const answer = await transaction(ctx.db, async (tx) => {
    const { url } = await lockOwnEndpoint(tx, ctx, id)
    const repeated = await earlierUse(tx, ctx, key, { operation, subjectId: keyId, asked: request })
    if (repeated) return { key_id: repeated, replayed: true as const }
    const keys = await selectSigningKeys(tx, id, ctx.at)
    const unseen = unseenKey(keys)
    if (unseen && 'overlapHours' in how && request.secret === undefined) {
      if (key !== undefined) await updateUseSubject(tx, accountOf(ctx).id, key, unseen.id)
      return { key_id: unseen.id, secret: await show(tx, ctx, unseen) }
    }
    refuseKnown(ctx, keys, secret)
    // Reads the clock itself: the call may have waited for the lock.
    const at = presentOf(ctx)
    const newKey = { endpointId: id, id: keyId, commandId: keyId, secret, isShown: true, at }
    await addKey(tx, ctx.egress, keys, newKey, how)
    const action = 'revoke' in how ? 'endpoint.secrets_revoked' : 'endpoint.secret_rotated'
    await recordAudit(tx, ctx, action, { id, name: url, details: { key_id: keyId, ...how } })
    return { key_id: keyId, secret }
  })
  if ('replayed' in answer) return { endpoint: await ownEndpoint(ctx, id), ...answer }
  if (answer.key_id === keyId) await signalRotation(ctx, id, keyId, how)
  return { endpoint: await ownEndpoint({ ...ctx, at: presentOf(ctx) }, id), ...answer }
}

const signalRotation = (ctx: WebhookContext, id: string, keyId: string, how: Rotation) =>
  signalEndpoint(ctx, id, {
    name: 'rotateSecret',
    id: keyId,
    ...('overlapHours' in how ? { overlap_hours: how.overlapHours } : how),
  })

/** The current key, if an operator created it and the owner has not seen it yet. */
const unseenKey = (keys: readonly SigningKey[]) =>
  keys.find(
    ({ valid_from, valid_until, is_shown }) =>
      !is_shown && valid_from !== null && valid_until === null,
  )

async function show(tx: Db, { egress }: WebhookContext, { id, secret }: SigningKey) {
  await markKeyShown(tx, id)
  return egress.open(secret, signingKeyContext(id))
}

function refuseKnown({ egress }: WebhookContext, keys: readonly SigningKey[], secret: string) {
  const isKnown = keys.some((key) =>
    egress.isSameSecret(egress.open(key.secret, signingKeyContext(key.id)), secret),
  )
  if (isKnown) throw refuse('secret_in_use')
}
