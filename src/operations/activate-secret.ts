import { z } from 'zod'
import { refuse } from '../model/errors.ts'
import { ROTATE_SECRET_SIGNAL } from '../model/webhooks.ts'
import { endpoint } from '../schema/endpoints.ts'
import {
  activateKey,
  endCurrentKey,
  hasBeenAccepted,
  selectSigningKeys,
} from '../store/signing-keys.ts'
import { type Db, transaction } from '../store/sql.ts'
import { type Context, defineOperation } from './define.ts'
import * as fields from './endpoint-fields.ts'
import { lockOwnEndpoint, ownEndpoint, tellEndpoint } from './own-endpoint.ts'
import { refuseTooMany } from './rotate-secret.ts'

const HOUR_MS = 3_600_000

const input = z.strictObject({
  id: fields.endpointId,
  key_id: z
    .uuid()
    .toLowerCase()
    .optional()
    .describe('The staged key; with it, activating twice changes nothing'),
  overlap_hours: fields.overlapHours,
  force: z.boolean().default(false).describe('Although no receiver has accepted it yet'),
})

export const activateSecret = defineOperation({
  name: 'activate secret',
  summary: 'Have the staged secret sign',
  description:
    'The staged secret becomes the current one; the one before signs beside it for the overlap. Refused until a test event that it signed was ' +
    'answered with 2xx, unless forced.',
  tier: 'free',
  input,
  output: z.object({ endpoint, key_id: z.uuid() }),
  errors: ['endpoint_not_found', 'no_staged_secret', 'not_proved', 'too_many_secrets'],
  async run(ctx, asked) {
    const { id } = asked
    const keyId = await transaction(ctx.db, async (tx) => {
      await lockOwnEndpoint(tx, ctx, id)
      return activate(tx, ctx, asked)
    })
    await tellEndpoint(ctx, id, { name: ROTATE_SECRET_SIGNAL, keyId, callsOff: false })
    return { endpoint: await ownEndpoint(ctx, id), key_id: keyId }
  },
})

async function activate(tx: Db, ctx: Context, asked: z.output<typeof input>): Promise<string> {
  const { id: endpointId, key_id, overlap_hours, force } = asked
  const keys = await selectSigningKeys(tx, endpointId, ctx.at)
  const isActive = keys.some(({ id, valid_from }) => id === key_id && valid_from !== null)
  if (key_id !== undefined && isActive) return key_id
  const staged = keys.find(({ valid_from }) => valid_from === null)
  if (!staged || (key_id !== undefined && staged.id !== key_id)) throw refuse('no_staged_secret')
  const { id: keyId, created_at: since } = staged
  if (!force && !(await hasBeenAccepted(tx, { endpointId, keyId, since }))) {
    throw refuse('not_proved')
  }
  refuseTooMany(keys, overlap_hours)
  await endCurrentKey(tx, endpointId, new Date(ctx.at.getTime() + overlap_hours * HOUR_MS))
  await activateKey(tx, keyId, ctx.at)
  return keyId
}
