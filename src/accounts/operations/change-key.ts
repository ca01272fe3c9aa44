import { z } from 'zod'
import { defineOperation } from '../../contract/define.ts'
import { apiKey } from '../schema/keys.ts'
import { updateKeyRevoked } from '../store/accounts.ts'
import { updateKeyName } from '../store/keys.ts'
import * as fields from './key-fields.ts'
import { ownKey, shownOwnKey } from './own-key.ts'

export const updateKey = defineOperation({
  name: 'update key',
  summary: 'Rename a key',
  description:
    'Gives a key another name. What it may do and until when is settled when it is made.',
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
  summary: 'End a key at once',
  description:
    'From now on every request with this key is refused. It cannot be undone; revoking again changes nothing. Its successor, if it was rolled, stays valid: `replaced_by` names it. The key that you call with can revoke itself.',
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
