import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import * as shared from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import { defineOperation } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { ROTATE_SECRET_SIGNAL } from '../rules/endpoint-messages.ts'
import { endpoint } from '../schema/endpoints.ts'
import { deleteSigningKeys, selectSigningKeys } from '../store/signing-keys.ts'
import * as fields from './endpoint-fields.ts'
import { lockOwnEndpoint, ownEndpoint, signalEndpoint } from './own-endpoint.ts'
import { changeTime, insertSecret, refuseKnown } from './rotate-secret.ts'
import { secretFrom } from './secret-from.ts'

export const revokeSecrets = defineOperation({
  name: 'revoke secrets',
  summary: 'Revoke every secret at once',
  description:
    'For a leaked secret: erases all secrets of the endpoint, a staged one too; a new one ' +
    'signs alone from now on. Requests in flight are aborted and sent again with the new ' +
    'signature. Your receiver rejects deliveries until it has the new secret; they are retried.',
  tier: 'free',
  scope: 'webhooks',
  input: z.strictObject({
    id: fields.endpointId,
    secret: fields.secret.optional(),
    idempotency_key: shared.idempotencyKey.optional(),
  }),
  output: z.object({
    endpoint,
    key_id: z.uuid(),
    secret: fields.shownSecret,
    replayed: shared.replayed.optional(),
  }),
  errors: ['endpoint_not_found', 'secret_in_use', 'idempotency_mismatch'],
  async run(ctx, { idempotency_key: key, ...asked }) {
    const { id } = asked
    const secret = secretFrom(ctx, asked.secret)
    const keyId = randomUUIDv7()
    const earlier = await transaction(ctx.db, async (tx) => {
      await lockOwnEndpoint(tx, ctx, id)
      const use = { operation: 'revocation', subjectId: keyId, asked }
      const repeated = await earlierUse(tx, ctx, key, use)
      if (repeated) return repeated
      refuseKnown(ctx, await selectSigningKeys(tx, id, ctx.at), secret)
      await deleteSigningKeys(tx, id)
      await insertSecret(tx, ctx, {
        endpointId: id,
        keyId,
        secret,
        isStaged: false,
        at: changeTime([]),
      })
      return undefined
    })
    if (earlier) return { endpoint: await ownEndpoint(ctx, id), key_id: earlier, replayed: true }
    await signalEndpoint(ctx, id, { name: ROTATE_SECRET_SIGNAL, keyId, abortsRequests: true })
    return { endpoint: await ownEndpoint(ctx, id), key_id: keyId, secret }
  },
})
