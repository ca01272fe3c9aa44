import { z } from 'zod'
import { HOUR_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import * as shared from '../../contract/fields.ts'
import { presentOf } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import type { WebhookContext } from '../engine.ts'
import { endpoint } from '../schema/endpoints.ts'
import { changeTime, refuseTooMany } from '../steps/add-key.ts'
import { insertEndpointCommand } from '../store/endpoint-commands.ts'
import {
  activateKey,
  endCurrentKey,
  hasBeenAccepted,
  selectSigningKeys,
} from '../store/signing-keys.ts'
import * as fields from './endpoint-fields.ts'
import { lockOwnEndpoint, ownEndpoint, signalEndpoint, startOf } from './own-endpoint.ts'
import { webhookOperation } from './webhook-operation.ts'

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

export const activateSecret = webhookOperation({
  name: 'activate secret',
  audit: 'endpoint.secret_activated',
  summary: 'Make the staged secret current',
  description:
    'Sends your receiver a request signed with the staged secret alone. If it answers 2xx, ' +
    'that secret becomes current and the previous one also signs during the overlap. Otherwise ' +
    'nothing changes, unless you force it.',
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
    const command = { name: 'rotateSecret', id: `activate ${keyId}`, activated: keyId } as const
    await signalEndpoint(ctx, id, command)
    return { endpoint: await ownEndpoint({ ...ctx, at: presentOf(ctx) }, id), key_id: keyId }
  },
})

/** Makes the staged key current, or returns it as `toProve` if no receiver has accepted it yet. */
const activate = (
  ctx: WebhookContext,
  input: Input,
): Promise<{ keyId: string } | { toProve: string }> =>
  transaction(ctx.db, async (tx) => {
    const { id: endpointId, key_id, overlap_hours, force } = input
    const { url } = await lockOwnEndpoint(tx, ctx, endpointId)
    const keys = await selectSigningKeys(tx, endpointId, ctx.at)
    const staged = keys.find(({ valid_from }) => valid_from === null)
    if (!staged || (key_id !== undefined && staged.id !== key_id)) {
      // A repeated call finds the key that the first call activated.
      if (key_id !== undefined && keys.some(({ id }) => id === key_id)) return { keyId: key_id }
      throw refuse('no_staged_secret')
    }
    refuseTooMany(keys, overlap_hours)
    const keyId = staged.id
    if (!force && !(await hasBeenAccepted(tx, endpointId, staged))) return { toProve: keyId }
    // Reads the clock itself: the call may have waited for the lock.
    const at = changeTime(keys, presentOf(ctx))
    await endCurrentKey(tx, endpointId, new Date(at.getTime() + overlap_hours * HOUR_MS))
    await activateKey(tx, keyId, at)
    const command = { endpointId, id: `activate ${keyId}`, name: 'rotateSecret', at } as const
    await insertEndpointCommand(tx, command)
    const details = { key_id: keyId, overlap_hours, forced: force }
    const change = { id: endpointId, name: url, details }
    await recordAudit(tx, ctx, 'endpoint.secret_activated', change)
    return { keyId }
  })

/** Sends a challenge signed with this key alone. Throws `not_proved` unless it is accepted. */
async function prove(ctx: WebhookContext, keyId: string, { id, wait }: Input): Promise<void> {
  const outcome = await ctx.engine.challengeEndpoint(startOf(ctx, id), wait, keyId)
  if (outcome === 'pending')
    throw refuse('not_proved', `The receiver has not answered within ${wait} s.`)
  if ('refused' in outcome && outcome.refused === 'disabled') throw refuse('endpoint_disabled')
  if ('refused' in outcome) throw refuse('not_proved', 'The request could not be sent.')
  if (outcome.status !== 'succeeded') throw refuse('not_proved', undefined, { attempt: outcome })
}
