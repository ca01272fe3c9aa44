import { z } from 'zod'
import { HOUR_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import * as shared from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import { accountOf, type Context, defineOperation } from '../../contract/operation.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { apiKey } from '../schema/keys.ts'
import { keyStatusAt, lockKeysOf, type OwnKey, updateKeyReplaced } from '../store/keys.ts'
import * as fields from './key-fields.ts'
import {
  addOwnKey,
  makerOf,
  mintKey,
  ownKey,
  refuseMore,
  refusePast,
  refuseWider,
  shownOwnKey,
  termsWithin,
} from './own-key.ts'

/** The last second that a four-digit year can express. */
const LATEST_END_MS = Date.parse('9999-12-31T23:59:59Z')

const input = z.strictObject({
  id: fields.keyId,
  overlap_hours: fields.overlapHours,
  expires_at: fields.expiresAt
    .optional()
    .describe('Expiry of the new key. Default: the same lifetime as the old one'),
  idempotency_key: shared.idempotencyKey.optional(),
})
type Roll = Omit<z.output<typeof input>, 'idempotency_key'>

export const rollKey = defineOperation({
  name: 'roll key',
  summary: 'Replace a key without a gap',
  description:
    'Creates a key with the name, scopes and `allowed_ips` of this one and shows it once. Both ' +
    'are valid during the overlap; then the old one expires. A key can be rolled once, by a ' +
    'key that has all its scopes and may be used from all its addresses; the new one is ' +
    'revoked with that key.',
  scope: 'keys',
  audit: 'key.rolled',
  input,
  output: z.object({
    key: apiKey,
    raw_key: fields.rawKey,
    previous: apiKey.describe('The key that was rolled'),
    replayed: shared.replayed.optional(),
  }),
  errors: [...fields.newKeyErrors, 'key_not_found', 'key_ended', 'key_replaced'],
  async run(ctx, { idempotency_key, ...request }) {
    const { mode } = await shownOwnKey(ctx, request.id)
    const minted = mintKey(mode)
    const earlier = await transaction(ctx.db, async (tx) => {
      const use = { operation: 'key roll', subjectId: minted.id, asked: request }
      const repeated = await earlierUse(tx, ctx, idempotency_key, use)
      if (!repeated) await roll(tx, ctx, request, minted)
      return repeated
    })
    const key = await shownOwnKey(ctx, earlier ?? minted.id)
    const previous = await shownOwnKey(ctx, request.id)
    return earlier ? { key, previous, replayed: true } : { key, raw_key: minted.raw, previous }
  },
})

async function roll(tx: Db, ctx: Context, request: Roll, minted: { id: string; raw: string }) {
  await lockKeysOf(tx, accountOf(ctx).id)
  const old = await ownKey(tx, ctx, request.id)
  await refuseMore(tx, ctx, old.scopes)
  const status = keyStatusAt(old, ctx.at)
  if (status === 'revoked' || status === 'expired') throw refuse('key_ended')
  const { replaced_by, name, scopes, allowed_ips: allowedIps } = old
  if (replaced_by) throw refuse('key_replaced', undefined, { replaced_by })
  const maker = await makerOf(tx, ctx)
  refuseWider(maker, allowedIps, '/id')
  const { expiresAt } = termsWithin(maker, {
    allowedIps,
    expiresAt: endOf(old, request, maker, ctx.at),
  })
  refusePast(ctx, expiresAt)
  const madeBy = maker?.id ?? old.made_by
  const insteadOf = request.overlap_hours === 0 ? old.id : null
  const accountId = old.account_id
  await addOwnKey(tx, ctx, {
    ...minted,
    accountId,
    name,
    scopes,
    allowedIps,
    expiresAt,
    madeBy,
    insteadOf,
  })
  const endsAt = new Date(ctx.at.getTime() + request.overlap_hours * HOUR_MS)
  await updateKeyReplaced(tx, old.id, { by: minted.id, endsAt })
  const details = { replaced_by: minted.id, old_key_ends_at: endsAt.toISOString() }
  await recordAudit(tx, ctx, 'key.rolled', { id: old.id, name, details })
}

/** By default, the new key lasts as long as the old one did, but never outlasts the caller's. */
function endOf(old: OwnKey, { expires_at }: Roll, maker: OwnKey | null, at: Date): Date | null {
  if (expires_at !== undefined) return expires_at === null ? null : new Date(expires_at)
  if (old.expires_at === null) return null
  const sameLifetime = at.getTime() + Date.parse(old.expires_at) - Date.parse(old.created_at)
  const limit = maker?.expires_at ? Date.parse(maker.expires_at) : LATEST_END_MS
  return new Date(Math.min(sameLifetime, limit))
}
