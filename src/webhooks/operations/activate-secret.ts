import { z } from 'zod'
import * as shared from '../../contract/fields.ts'
import { type Context, defineOperation } from '../../contract/operation.ts'
import { HOUR_MS } from '../../contract/rules/durations.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { ROTATE_SECRET_SIGNAL } from '../rules/endpoint-messages.ts'
import { endpoint } from '../schema/endpoints.ts'
import {
  activateKey,
  endCurrentKey,
  hasBeenAccepted,
  type SigningKey,
  selectSigningKeys,
} from '../store/signing-keys.ts'
import * as fields from './endpoint-fields.ts'
import { attemptOf, lockOwnEndpoint, ownEndpoint, signalEndpoint, startOf } from './own-endpoint.ts'
import { changeTime, refuseTooMany } from './rotate-secret.ts'

const input = z.strictObject({
  id: fields.endpointId,
  key_id: z
    .uuid()
    .toLowerCase()
    .optional()
    .describe(
      'The staged key. Naming it makes the call repeatable: activating it twice changes nothing',
    ),
  overlap_hours: fields.overlapHours,
  force: z.boolean().default(false).describe('Skip the proof that your receiver has the secret'),
  wait: shared.wait,
})
type Input = z.output<typeof input>

export const activateSecret = defineOperation({
  name: 'activate secret',
  summary: 'Make the staged secret current',
  description:
    'Sends your receiver a request signed with the staged secret alone. If it answers 2xx, ' +
    'that secret becomes current and the previous one signs beside it for the overlap. ' +
    'Otherwise nothing changes, unless you force it.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output: z.object({ endpoint, key_id: z.uuid() }),
  errors: [
    'endpoint_not_found',
    'endpoint_disabled',
    'no_staged_secret',
    'not_proved',
    'too_many_secrets',
    'booking_engine_unavailable',
  ],
  async run(ctx, input) {
    const { id } = input
    let activated = await activate(ctx, input)
    if ('toProve' in activated) {
      await prove(ctx, activated.toProve, input)
      activated = await activate(ctx, input)
    }
    if ('toProve' in activated) throw refuse('not_proved')
    const { keyId } = activated
    await signalEndpoint(ctx, id, { name: ROTATE_SECRET_SIGNAL, keyId, abortsRequests: false })
    return { endpoint: await ownEndpoint({ ...ctx, at: new Date() }, id), key_id: keyId }
  },
})

/**
 * Makes the staged key current; `toProve` when its receiver has not accepted it yet: nothing is
 * changed then.
 */
const activate = (ctx: Context, input: Input): Promise<{ keyId: string } | { toProve: string }> =>
  transaction(ctx.db, async (tx) => {
    const { id, key_id, overlap_hours, force } = input
    await lockOwnEndpoint(tx, ctx, id)
    const keys = await selectSigningKeys(tx, id, ctx.at)
    const staged = stagedOf(keys, key_id)
    if (!staged) return { keyId: key_id ?? '' }
    refuseTooMany(keys, overlap_hours)
    if (!force && !(await isProved(tx, id, staged))) return { toProve: staged.id }
    const at = changeTime(keys)
    await endCurrentKey(tx, id, new Date(at.getTime() + overlap_hours * HOUR_MS))
    await activateKey(tx, staged.id, at)
    return { keyId: staged.id }
  })

/**
 * The key to activate; undefined when the named one is active already. Throws `no_staged_secret`.
 */
function stagedOf(keys: readonly SigningKey[], wanted: string | undefined): SigningKey | undefined {
  const staged = keys.find(({ valid_from }) => valid_from === null)
  if (staged && (wanted === undefined || staged.id === wanted)) return staged
  if (wanted !== undefined && keys.some(({ id }) => id === wanted)) return undefined
  throw refuse('no_staged_secret')
}

const isProved = (tx: Db, endpointId: string, { id, created_at }: SigningKey): Promise<boolean> =>
  hasBeenAccepted(tx, { endpointId, keyId: id, since: created_at })

/**
 * Sends a challenge signed with this key alone. Throws `not_proved`, with the attempt, unless the
 * receiver accepts it.
 */
async function prove(ctx: Context, keyId: string, { id, wait }: Input): Promise<void> {
  const sent = await ctx.engine.challengeEndpoint(startOf(ctx, id), wait, keyId)
  if (sent === 'pending')
    throw refuse('not_proved', `The receiver has not answered within ${wait} s.`)
  if ('refused' in sent && sent.refused === 'disabled') throw refuse('endpoint_disabled')
  if ('refused' in sent) throw refuse('not_proved', 'The request could not be sent.')
  const attempt = attemptOf(sent)
  if (attempt.status !== 'succeeded') throw refuse('not_proved', undefined, { attempt })
}
