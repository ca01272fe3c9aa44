import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import * as shared from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import type { Context } from '../../contract/operation.ts'
import { invalidRequest, refuse } from '../../contract/rules/errors.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { ROTATE_SECRET_SIGNAL } from '../rules/endpoint-messages.ts'
import { MAX_SIGNING_KEYS } from '../rules/limits.ts'
import { endpoint } from '../schema/endpoints.ts'
import {
  insertSigningKey,
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

/** The caller's secret, or a new one. Throws `invalid_request` without repeating the secret. */
export function secretFrom({ egress }: Context, given: string | undefined): string {
  if (given === undefined) return egress.newSecret()
  if (egress.isSecret(given)) return given
  const detail = 'expected `whsec_` and 24 to 64 bytes in base64'
  throw invalidRequest([{ pointer: '/secret', detail }])
}

/** Stores a key with its secret sealed; `validFrom` null stages it. */
export const insertSecret = (
  tx: Db,
  { egress }: Context,
  { secret, ...key }: Parameters<typeof insertSigningKey>[1],
) => insertSigningKey(tx, { ...key, secret: egress.seal(secret, signingKeyContext(key.id)) })

type Change = {
  operation: string
  isStaged: boolean
  abortsRequests: boolean
  /** makes room for the new key, in the transaction that inserts it */
  prepare(tx: Db, keys: readonly SigningKey[], at: Date): Promise<unknown>
}

/** Adds a secret, once per idempotency key. Only the first answer shows it. */
export async function addSecret(
  ctx: Context,
  { idempotency_key: key, ...asked }: z.output<typeof secretInput>,
  { operation, isStaged, abortsRequests, prepare }: Change,
) {
  const { id } = asked
  const secret = secretFrom(ctx, asked.secret)
  const keyId = randomUUIDv7()
  const earlier = await transaction(ctx.db, async (tx) => {
    await lockOwnEndpoint(tx, ctx, id)
    const repeated = await earlierUse(tx, ctx, key, { operation, subjectId: keyId, asked })
    if (repeated) return repeated
    const keys = await selectSigningKeys(tx, id, ctx.at)
    refuseKnown(ctx, keys, secret)
    const at = changeTime(keys)
    await prepare(tx, keys, at)
    const validFrom = isStaged ? null : at
    await insertSecret(tx, ctx, { id: keyId, endpointId: id, secret, validFrom, at })
    return undefined
  })
  if (earlier) return { endpoint: await ownEndpoint(ctx, id), key_id: earlier, replayed: true }
  await signalEndpoint(ctx, id, { name: ROTATE_SECRET_SIGNAL, keyId, abortsRequests })
  return { endpoint: await ownEndpoint({ ...ctx, at: new Date() }, id), key_id: keyId, secret }
}

function refuseKnown({ egress }: Context, keys: readonly SigningKey[], secret: string): void {
  const isKnown = keys.some((key) =>
    egress.isSameSecret(egress.open(key.secret, signingKeyContext(key.id)), secret),
  )
  if (isKnown) throw refuse('secret_in_use')
}

/** Throws `too_many_secrets` when no further key may sign beside these. */
export function refuseTooMany(keys: readonly SigningKey[], overlapHours: number): void {
  const signing = keys.filter(({ valid_from }) => valid_from !== null).length
  if (overlapHours > 0 && signing >= MAX_SIGNING_KEYS) {
    throw refuse('too_many_secrets', `${signing} sign already.`)
  }
}

/**
 * Now, but after each of these keys began, so that the newest signs first. Reads the clock itself:
 * the call may have waited for a lock on the endpoint.
 */
export const changeTime = (keys: readonly SigningKey[]): Date =>
  new Date(Math.max(Date.now(), ...keys.map(({ valid_from }) => (valid_from?.getTime() ?? 0) + 1)))
