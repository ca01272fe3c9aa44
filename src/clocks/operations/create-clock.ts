import { z } from 'zod'
import { makerOf, termsWithin } from '../../accounts/operations/own-key.ts'
import { insertKey } from '../../accounts/store/accounts.ts'
import { hashKey, newRawKey } from '../../accounts/store/key-secret.ts'
import { DAY_MS } from '../../base/durations.ts'
import { invalidRequest, refuse } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import * as shared from '../../contract/fields.ts'
import { givenInstant } from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import { accountOf, type Context, defineOperation } from '../../contract/operation.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { throttleCaller } from '../../platform/database/throttle.ts'
import { updateUseSubject } from '../../platform/database/used-keys.ts'
import { insertSandbox } from '../../sandbox/store/sandboxes.ts'
import { clocksCreated, FARTHEST_DAYS, MAX_CLOCKS } from '../rules/test-clocks.ts'
import { clockName, testClock } from '../schema/test-clocks.ts'
import { countClocks, insertClock, lockOwner } from '../store/clocks.ts'
import { newUuid, shownOwnClock } from './own-clock.ts'

const MAX_AN_HOUR = clocksCreated.byAccount.most

const input = z.strictObject({
  name: clockName.default('test clock'),
  now: givenInstant
    .optional()
    .describe('The initial time of the clock, within a year of now. Default: now'),
  idempotency_key: shared.idempotencyKey.optional(),
})

export const createClock = defineOperation({
  name: 'create test clock',
  summary: 'Create a test clock',
  description:
    'Creates a separate sandbox that runs on a clock, which you move. The test key of the ' +
    'sandbox is shown once; it has the scopes, addresses and expiry of your own key, and is ' +
    'revoked with it. Bookings, reminders, deadlines and webhooks of that key run on the ' +
    `clock. An account can have ${MAX_CLOCKS}, and create ${MAX_AN_HOUR} an hour.`,
  tier: 'free',
  scope: 'bookings',
  audit: 'clock.created',
  input,
  output: z.object({
    test_clock: testClock,
    raw_key: z
      .string()
      .optional()
      .describe('The test key of the sandbox, shown once: only its hash is stored'),
    replayed: shared.replayed.optional(),
  }),
  errors: ['clock_limit', 'clock_not_found', 'idempotency_mismatch', 'too_many_tries'],
  async run(ctx, { idempotency_key: key, ...settings }) {
    const raw = newRawKey('test')
    const clock = await transaction(ctx.db, async (tx) => {
      const claim = newUuid()
      const use = { operation: 'test clock', subjectId: claim, asked: settings }
      const earlier = await earlierUse(tx, ctx, key, use)
      if (earlier) return { id: earlier, isNew: false }
      const id = await open(tx, ctx, settings, raw)
      if (key !== undefined) await updateUseSubject(tx, accountOf(ctx).id, key, id)
      return { id, isNew: true }
    })
    const test_clock = await shownOwnClock(ctx, clock.id)
    return clock.isNew ? { test_clock, raw_key: raw } : { test_clock, replayed: true }
  },
})

type NewClock = Omit<z.output<typeof input>, 'idempotency_key'>

/** Creates the sandbox along with its clock and key; returns its id. */
async function open(tx: Db, ctx: Context, { name, now }: NewClock, raw: string): Promise<string> {
  const { at } = ctx
  const aheadMs = now === undefined ? 0 : Date.parse(now) - at.getTime()
  if (Math.abs(aheadMs) > FARTHEST_DAYS * DAY_MS) {
    const detail = `expected an instant within ${FARTHEST_DAYS} days of the present`
    throw invalidRequest([{ pointer: '/now', detail }])
  }
  const liveAccountId = await lockOwner(tx, accountOf(ctx).id)
  if ((await countClocks(tx, liveAccountId)) >= MAX_CLOCKS) {
    throw refuse('clock_limit', `An account can have ${MAX_CLOCKS} test clocks.`)
  }
  await throttleCaller(tx, clocksCreated, ctx)
  const id = await insertSandbox(tx, { liveAccountId, kind: 'clock', at })
  await insertClock(tx, { accountId: id, name, aheadMs, at })
  const key = { id: newUuid(), accountId: id, name, hash: hashKey(raw), hint: raw.slice(-4), at }
  // The key gets the caller's permissions: all for a member, otherwise those of the caller's key.
  const maker = await makerOf(tx, ctx)
  const terms = termsWithin(maker, { allowedIps: [], expiresAt: null })
  await insertKey(tx, { ...key, ...terms, scopes: ctx.scopes, madeBy: maker?.id ?? null })
  await recordAudit(tx, ctx, 'clock.created', { id, name })
  return id
}
