import { z } from 'zod'
import { idInCursor, pageOf } from '../../contract/cursor.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import { apiKey } from '../schema/keys.ts'
import { selectKeysOf, shownKey } from '../store/keys.ts'
import * as fields from './key-fields.ts'
import { shownOwnKey } from './own-key.ts'

export const getKey = defineOperation({
  name: 'read key',
  summary: 'Read a key',
  description:
    'Returns the scopes and expiry of a key, and when and through which door it was last used. ' +
    'The raw key is never shown again.',
  scope: 'keys',
  input: z.strictObject({ id: fields.keyId }),
  output: z.object({ key: apiKey }),
  errors: ['key_not_found'],
  run: async (ctx, { id }) => ({ key: await shownOwnKey(ctx, id) }),
})

export const listKeys = defineOperation({
  name: 'list keys',
  summary: 'List the keys of your account',
  description: 'Lists every key of the account, newest first, including revoked and expired ones.',
  scope: 'keys',
  input: z.strictObject({
    ...pageInput,
    limit: pageInput.limit.default(50),
  }),
  output: z.object({ keys: z.array(apiKey), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { limit, cursor }) {
    const page = { before: idInCursor(cursor), limit: limit + 1 }
    const stored = await selectKeysOf(ctx.db, accountOf(ctx).id, page)
    const { rows: keys, next_cursor } = pageOf(stored, limit, (last) => last.id)
    return { keys: keys.map((key) => shownKey(key, ctx.at)), next_cursor }
  },
})
