import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import * as shared from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import { type Context, defineOperation } from '../../contract/operation.ts'
import { HOUR_MS } from '../../contract/rules/durations.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { ROTATE_SECRET_SIGNAL } from '../rules/endpoint-messages.ts'
import { MAX_SIGNING_KEYS } from '../rules/limits.ts'
import { endpoint } from '../schema/endpoints.ts'
import {
  deleteStagedKey,
  endCurrentKey,
  insertSigningKey,
  type SigningKey,
  selectSigningKeys,
  signingKeyContext,
} from '../store/signing-keys.ts'
import * as fields from './endpoint-fields.ts'
import { lockOwnEndpoint, ownEndpoint, signalEndpoint } from './own-endpoint.ts'
import { secretFrom } from './secret-from.ts'

const input = z.strictObject({
  id: fields.endpointId,
  secret: fields.secret.optional(),
  overlap_hours: fields.overlapHours,
  staged: z
    .boolean()
    .default(false)
    .describe('Signs only test events until you activate it; replaces a secret staged before'),
  idempotency_key: shared.idempotencyKey.optional(),
})
type Input = Omit<z.output<typeof input>, 'idempotency_key'>

export const rotateSecret = defineOperation({
  name: 'rotate secret',
  summary: 'Rotate the signing secret',
  description:
    'Creates a secret, or takes yours, and shows it once. For the overlap both secrets sign ' +
    'every request, newest first, so a receiver with either can verify. A `staged` secret ' +
    'signs nothing until you activate it, which first proves that your receiver has it.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output: z.object({
    endpoint,
    key_id: z.uuid(),
    secret: fields.shownSecret,
    replayed: shared.replayed.optional(),
    next: fields.next.optional(),
  }),
  errors: ['endpoint_not_found', 'secret_in_use', 'too_many_secrets', 'idempotency_mismatch'],
  async run(ctx, { idempotency_key: key, ...asked }) {
    const { id, staged } = asked
    const secret = secretFrom(ctx, asked.secret)
    const keyId = randomUUIDv7()
    const earlier = await transaction(ctx.db, async (tx) => {
      await lockOwnEndpoint(tx, ctx, id)
      const use = { operation: 'rotation', subjectId: keyId, asked }
      const repeated = await earlierUse(tx, ctx, key, use)
      if (!repeated) await change(tx, ctx, { asked, secret, keyId })
      return repeated
    })
    if (earlier) return { endpoint: await ownEndpoint(ctx, id), key_id: earlier, replayed: true }
    await signalEndpoint(ctx, id, { name: ROTATE_SECRET_SIGNAL, keyId, abortsRequests: false })
    const rotated = await ownEndpoint({ ...ctx, at: new Date() }, id)
    return { endpoint: rotated, key_id: keyId, secret, ...(staged && { next: nextOf(id) }) }
  },
})

const nextOf = (id: string) =>
  `Give the secret to your receiver beside the old one, then POST /api/webhooks/${id}/activate.`

async function change(
  tx: Db,
  ctx: Context,
  { asked, secret, keyId }: { asked: Input; secret: string; keyId: string },
): Promise<void> {
  const { id, staged, overlap_hours: hours } = asked
  const keys = await selectSigningKeys(tx, id, ctx.at)
  refuseKnown(ctx, keys, secret)
  const at = changeTime(keys)
  if (staged) {
    await deleteStagedKey(tx, id)
  } else {
    refuseTooMany(keys, hours)
    await endCurrentKey(tx, id, new Date(at.getTime() + hours * HOUR_MS))
  }
  await insertSecret(tx, ctx, { endpointId: id, keyId, secret, isStaged: staged, at })
}

/**
 * The time of a change: now, but after each of these keys began, so that the newest signs first. It
 * reads the clock itself: the call may have waited for a lock on the endpoint.
 */
export const changeTime = (keys: readonly SigningKey[]): Date =>
  new Date(Math.max(Date.now(), ...keys.map(({ valid_from }) => (valid_from?.getTime() ?? 0) + 1)))

/** Inserts a sealed key, in a transaction that has ended the current one. */
export const insertSecret = (
  tx: Db,
  { egress }: Context,
  key: { endpointId: string; keyId: string; secret: string; isStaged: boolean; at: Date },
): Promise<void> =>
  insertSigningKey(tx, {
    id: key.keyId,
    endpointId: key.endpointId,
    secret: egress.seal(key.secret, signingKeyContext(key.keyId)),
    validFrom: key.isStaged ? null : key.at,
    at: key.at,
  })

/** Throws `secret_in_use` when one of these keys has this secret. */
export function refuseKnown({ egress }: Context, keys: readonly SigningKey[], secret: string) {
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
