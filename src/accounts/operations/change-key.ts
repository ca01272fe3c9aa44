import { z } from 'zod'
import { differences, recordAudit } from '../../contract/audit.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { apiKey } from '../schema/keys.ts'
import { lockKeysOf, revokeKeyTree, updateKeyTerms } from '../store/keys.ts'
import * as fields from './key-fields.ts'
import { makerOf, ownKey, refuseWider, shownOwnKey } from './own-key.ts'

export const updateKey = defineOperation({
  name: 'update key',
  summary: 'Update a key',
  description:
    'Changes the name of a key, or the addresses that may use it. This takes effect ' +
    'immediately, so include your own address. A key that is restricted to addresses cannot ' +
    'allow others. Scopes and expiry cannot be changed.',
  scope: 'keys',
  audit: 'key.updated',
  input: z.strictObject({
    id: fields.keyId,
    name: fields.name.optional(),
    allowed_ips: fields.allowedIps.optional(),
  }),
  output: z.object({ key: apiKey }),
  errors: ['key_not_found'],
  fixed: {
    scopes: 'the scopes of a key cannot be changed: create another key',
    expires_at: 'the end of a key cannot be changed: create another key, or revoke this one',
  },
  async run(ctx, { id, ...input }) {
    await transaction(ctx.db, async (tx) => {
      await lockKeysOf(tx, accountOf(ctx).id)
      const { name, allowed_ips } = await ownKey(tx, ctx, id)
      if (input.allowed_ips) refuseWider(await makerOf(tx, ctx), input.allowed_ips, '/allowed_ips')
      const terms = {
        name: input.name ?? name,
        allowed_ips: input.allowed_ips ?? allowed_ips,
      }
      const details = differences({ name, allowed_ips }, terms)
      if (!details) return
      await updateKeyTerms(tx, id, terms)
      await recordAudit(tx, ctx, 'key.updated', { id, name: terms.name, details })
    })
    return { key: await shownOwnKey(ctx, id) }
  },
})

export const revokeKey = defineOperation({
  name: 'revoke key',
  summary: 'Revoke a key',
  description:
    'Revokes a key immediately and permanently, and with it every key that it created; ' +
    'revoking it twice changes nothing. A successor that another key or a member created stays ' +
    'valid: `replaced_by` names it. A key can revoke itself.',
  scope: 'keys',
  audit: 'key.revoked',
  input: z.strictObject({ id: fields.keyId }),
  output: z.object({
    key: apiKey,
    also_revoked: z.array(z.uuid()).describe('The keys that it created, revoked with it'),
  }),
  errors: ['key_not_found'],
  async run(ctx, { id }) {
    const also_revoked = await transaction(ctx.db, async (tx) => {
      await lockKeysOf(tx, accountOf(ctx).id)
      const { name } = await ownKey(tx, ctx, id)
      const revoked = await revokeKeyTree(tx, id, ctx.at)
      const descendants = revoked.filter((other) => other !== id)
      const details = descendants.length > 0 ? { also_revoked: descendants } : {}
      if (revoked.length > 0) await recordAudit(tx, ctx, 'key.revoked', { id, name, details })
      return descendants
    })
    return { key: await shownOwnKey(ctx, id), also_revoked }
  },
})
