import { z } from 'zod'
import { differences, recordAudit } from '../../contract/audit.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { apiKey } from '../schema/keys.ts'
import { updateKeyRevoked } from '../store/accounts.ts'
import { lockKeysOf, updateKeyName } from '../store/keys.ts'
import * as fields from './key-fields.ts'
import { ownKey, shownOwnKey } from './own-key.ts'

export const updateKey = defineOperation({
  name: 'update key',
  summary: 'Rename a key',
  description: 'Renames a key. Its scopes and its expiry cannot be changed.',
  tier: 'free',
  scope: 'keys',
  audit: 'key.updated',
  input: z.strictObject({ id: fields.keyId, name: fields.name }),
  output: z.object({ key: apiKey }),
  errors: ['key_not_found'],
  async run(ctx, { id, name }) {
    await transaction(ctx.db, async (tx) => {
      await lockKeysOf(tx, accountOf(ctx).id)
      const details = differences(await ownKey(tx, ctx, id), { name })
      if (!details) return
      await updateKeyName(tx, id, name)
      await recordAudit(tx, ctx, 'key.updated', { id, name, details })
    })
    return { key: await shownOwnKey(ctx, id) }
  },
})

export const revokeKey = defineOperation({
  name: 'revoke key',
  summary: 'Revoke a key',
  description:
    'Revokes a key at once and for good; revoking it twice changes nothing. The successor of a ' +
    'rolled key stays valid: `replaced_by` names it. A key can revoke itself.',
  tier: 'free',
  scope: 'keys',
  audit: 'key.revoked',
  input: z.strictObject({ id: fields.keyId }),
  output: z.object({ key: apiKey }),
  errors: ['key_not_found'],
  async run(ctx, { id }) {
    await transaction(ctx.db, async (tx) => {
      await lockKeysOf(tx, accountOf(ctx).id)
      const { name, revoked_at } = await ownKey(tx, ctx, id)
      if (revoked_at !== null) return
      await updateKeyRevoked(tx, id, ctx.at)
      await recordAudit(tx, ctx, 'key.revoked', { id, name })
    })
    return { key: await shownOwnKey(ctx, id) }
  },
})
