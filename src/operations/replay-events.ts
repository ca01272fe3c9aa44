import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { refuse } from '../model/errors.ts'
import { REPLAY_SIGNAL } from '../model/webhooks.ts'
import { type ReplayCounts, replay, replayCounts } from '../schema/replays.ts'
import { insertUse, selectOptionalUse } from '../store/commands.ts'
import { selectOptionalReplayOf } from '../store/replay-view.ts'
import {
  countReplay,
  insertReplay,
  type NewReplay,
  selectOptionalOpenReplay,
  selectOptionalReplayTarget,
} from '../store/replays.ts'
import { type Db, transaction } from '../store/sql.ts'
import * as fields from './booking-fields.ts'
import { hash } from './booking-request.ts'
import { accountOf, type Context, defineOperation } from './define.ts'
import { endpointId } from './read-deliveries.ts'
import { choice, filterOf } from './replay-choice.ts'

const input = z.strictObject({
  id: endpointId,
  ...choice,
  per_second: z
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .describe('At most so many are put up in a second'),
  dry_run: z.boolean().default(false).describe('Only count what it would come to'),
  idempotency_key: fields.idempotencyKey.optional(),
})

export const replayEvents = defineOperation({
  name: 'replay events',
  summary: 'Have events delivered again',
  description:
    'Puts events up for delivery to one endpoint again, behind what is new and at a pace. Choose them in one way: by id, by numbers, by time, ' +
    'what failed since, what was never attempted, or by types alone. `webhook-id`, body and sequence of what was sent before stay; what is ' +
    'pending or under way is left alone. `dry_run` counts first. An endpoint has one replay at a time; a paused or disabled one holds it.',
  tier: 'free',
  input,
  output: z.object({
    counts: replayCounts.optional().describe('Left out when an earlier answer is repeated'),
    replay: replay.nullable().describe('null for a dry run'),
    replayed: fields.replayed.optional(),
    next: fields.next,
  }),
  errors: [
    'endpoint_not_found',
    'endpoint_not_active',
    'event_not_found',
    'replay_running',
    'idempotency_mismatch',
  ],
  async run(ctx, { idempotency_key: key, dry_run, per_second, id, ...asked }) {
    const accountId = accountOf(ctx).id
    const target = await selectOptionalReplayTarget(ctx.db, accountId, id)
    if (!target || target.is_deleted) throw refuse('endpoint_not_found')
    if (target.status === 'unverified') {
      throw refuse('endpoint_not_active', 'The endpoint has not proved itself.', {
        endpoint_id: id,
      })
    }
    const { filter, after, until } = await filterOf(ctx.db, accountId, target, asked)
    const last = Math.min(until ?? target.last_number, target.last_number)
    const of = { accountId, endpointId: id }
    const count = (db: Db) => countReplay(db, of, filter, { after, until: last })

    if (dry_run) {
      const { counts } = await count(ctx.db)
      return { counts, replay: null, next: 'Nothing was written. Send it without `dry_run`.' }
    }
    const made = await record(ctx, {
      id: randomUUIDv7(),
      key,
      bodyHash: hash({ id, per_second, ...asked }),
      of,
      async begin(tx) {
        const { counts, first, last } = await count(tx)
        const total = counts.would_send
        return { new: { ...of, filter, first, last, perSecond: per_second, total }, counts }
      },
    })
    if (made.counts) {
      const signal = { name: REPLAY_SIGNAL, replayId: made.id } as const
      // Best effort: the sweep tells the endpoint otherwise.
      await ctx.engine.tellEndpoint(of, signal).catch(() => {})
    }
    const shown = await selectOptionalReplayOf(ctx.db, accountId, made.id)
    if (!shown) throw refuse('replay_not_found')
    return {
      ...(made.counts ? { counts: made.counts } : { replayed: true }),
      replay: shown,
      next: `Read the replay ${made.id}, or its deliveries.`,
    }
  },
})

type Wish = {
  id: string
  key: string | undefined
  bodyHash: Buffer
  of: { accountId: string; endpointId: string }
  begin(tx: Db): Promise<{ new: Omit<NewReplay, 'id' | 'at'>; counts: ReplayCounts }>
}

/** The replay to answer, with its counts when it is new. Throws `replay_running` and `idempotency_mismatch`; then nothing remains. */
const record = (
  { db, at }: Context,
  wish: Wish,
): Promise<{ id: string; counts: ReplayCounts | null }> =>
  transaction(db, async (tx) => {
    const earlier = wish.key === undefined ? null : await findUse(tx, wish, wish.key, at)
    if (earlier !== null) return { id: earlier, counts: null }
    const { new: wanted, counts } = await wish.begin(tx)
    if (await insertReplay(tx, { ...wanted, id: wish.id, at })) return { id: wish.id, counts }
    const open = await selectOptionalOpenReplay(tx, wanted.endpointId)
    throw refuse('replay_running', undefined, open && { replay_id: open.id })
  })

/** The replay for which this key was used; null when it is used for this one from now on. */
async function findUse(tx: Db, { id, of, bodyHash }: Wish, key: string, at: Date) {
  const { accountId } = of
  const use = { accountId, key, operation: 'replay', subjectId: id, bodyHash, at }
  if (await insertUse(tx, use)) return null
  const earlier = await selectOptionalUse(tx, accountId, key)
  if (earlier?.operation !== 'replay' || !earlier.body_hash.equals(bodyHash)) {
    throw refuse('idempotency_mismatch')
  }
  return earlier.subject_id
}
