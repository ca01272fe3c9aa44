import { z } from 'zod'
import { defaultScopes } from '../../base/scopes.ts'
import { recordAudit } from '../../contract/audit.ts'
import * as shared from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import { defineOperation } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { apiKey } from '../schema/keys.ts'
import * as fields from './key-fields.ts'
import * as own from './own-key.ts'

export const createKey = defineOperation({
  name: 'create key',
  summary: 'Create an API key',
  description:
    'Creates a key of your account and shows it once; with `mode` `test`, a key of its ' +
    'sandbox, where bookings are free and nobody is contacted. By default, it gets your own ' +
    'key’s `allowed_ips`, `expires_at` and scopes, except `keys`; it cannot have more than your ' +
    'own key, and is revoked ' +
    `with it. An account can have ${own.MAX_KEYS} valid keys and create ` +
    `${own.keysMade.most} a day.`,
  scope: 'keys',
  audit: 'key.created',
  input: z.strictObject({
    name: fields.name,
    mode: fields.mode.optional(),
    scopes: fields.scopes.optional(),
    allowed_ips: fields.allowedIps.default([]),
    expires_at: fields.expiresAt.default(null),
    idempotency_key: shared.idempotencyKey.optional(),
  }),
  output: z.object({ key: apiKey, raw_key: fields.rawKey, replayed: shared.replayed.optional() }),
  errors: [...fields.newKeyErrors, 'key_not_found', 'live_key_required'],
  async run(ctx, { idempotency_key, ...request }) {
    const scopes = request.scopes ?? defaultScopes.filter((scope) => ctx.scopes.includes(scope))
    await own.refuseMore(ctx.db, ctx, scopes)
    const expiresAt = request.expires_at === null ? null : new Date(request.expires_at)
    const mode = own.modeOfNewKey(ctx, request.mode)
    const { id, raw } = own.mintKey(mode)
    const earlier = await transaction(ctx.db, async (tx) => {
      const use = { operation: 'key', subjectId: id, asked: request }
      const repeated = await earlierUse(tx, ctx, idempotency_key, use)
      if (repeated) return repeated
      own.refusePast(ctx, expiresAt)
      const { name } = request
      const accountId = await own.ownerOfNewKey(tx, ctx, mode)
      const maker = await own.makerOf(tx, ctx)
      const within = own.termsWithin(maker, { allowedIps: request.allowed_ips, expiresAt })
      const terms = { name, scopes, ...within, madeBy: maker?.id ?? null }
      await own.addOwnKey(tx, ctx, { id, accountId, raw, ...terms, insteadOf: null })
      const { allowedIps: allowed_ips, expiresAt: expires_at } = within
      const details = { mode, scopes, expires_at, allowed_ips }
      await recordAudit(tx, ctx, 'key.created', { id, name, details })
      return undefined
    })
    const key = await own.shownOwnKey(ctx, earlier ?? id)
    return earlier ? { key, replayed: true } : { key, raw_key: raw }
  },
})
