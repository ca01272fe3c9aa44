import { z } from 'zod'
import { defineOperation } from '../../contract/operation.ts'
import { apiKey } from '../schema/keys.ts'
import { updateKeyRevoked } from '../store/accounts.ts'
import { updateKeyName } from '../store/keys.ts'
import * as fields from './key-fields.ts'
import { ownKey, shownOwnKey } from './own-key.ts'

export const updateKey = defineOperation({
  name: 'update key',
  summary: 'Rename a key',
  description: 'Renames a key. Its scopes and its expiry cannot be changed.',
  tier: 'free',
  scope: 'keys',
  input: z.strictObject({ id: fields.keyId, name: fields.name }),
  output: z.object({ key: apiKey }),
  errors: ['key_not_found'],
  async run(ctx, { id, name }) {
    await ownKey(ctx.db, ctx, id)
    await updateKeyName(ctx.db, id, name)
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
  input: z.strictObject({ id: fields.keyId }),
  output: z.object({ key: apiKey }),
  errors: ['key_not_found'],
  async run(ctx, { id }) {
    await ownKey(ctx.db, ctx, id)
    await updateKeyRevoked(ctx.db, id, ctx.at)
    return { key: await shownOwnKey(ctx, id) }
  },
})
