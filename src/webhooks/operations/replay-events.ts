import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import * as shared from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import { accountOf } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { REPLAY_SIGNAL } from '../rules/endpoint-messages.ts'
import { replay, replayCounts } from '../schema/replays.ts'
import { selectOptionalReplayOf } from '../store/replay-view.ts'
import { beginReplay, countReplay, selectOptionalReplayTarget } from '../store/replays.ts'
import { endpointId } from './endpoint-fields.ts'
import { signalEndpoint } from './own-endpoint.ts'
import { choiceFields, filterOf } from './replay-choice.ts'
import { webhookOperation } from './webhook-operation.ts'

export const replayEvents = webhookOperation({
  name: 'replay events',
  summary: 'Replay events to an endpoint',
  description:
    'Enqueues events for one endpoint again, after new ones and at a pace. Choose them in one ' +
    'way: by id, number or time, what failed since, what was never attempted, or by type ' +
    'alone. Events that were sent before keep `webhook-id`, body and sequence; deliveries that ' +
    'are pending or in flight are skipped. `dry_run` counts first. An endpoint has one replay ' +
    'at a time; a paused or disabled endpoint holds it.',
  input: z.strictObject({
    id: endpointId,
    ...choiceFields,
    per_second: z
      .int()
      .min(1)
      .max(1000)
      .default(100)
      .describe('Events enqueued per second, at most'),
    dry_run: z.boolean().default(false).describe('Only count the events'),
    idempotency_key: shared.idempotencyKey.optional(),
  }),
  output: z.object({
    counts: replayCounts.optional().describe('Absent when an earlier answer is repeated'),
    replay: replay.nullable().describe('null for a dry run and once it is erased'),
    replayed: shared.replayed.optional(),
    next: shared.next,
  }),
  errors: [
    'endpoint_not_found',
    'endpoint_not_active',
    'event_not_found',
    'replay_running',
    'idempotency_mismatch',
  ],
  async run(ctx, { idempotency_key: key, dry_run, per_second, id, ...choice }) {
    const accountId = accountOf(ctx).id
    const target = await selectOptionalReplayTarget(ctx.db, accountId, id)
    if (!target || target.is_deleted) throw refuse('endpoint_not_found')
    if (!target.is_proved) {
      throw refuse('endpoint_not_active', 'The URL of the endpoint is not verified.', {
        endpoint_id: id,
      })
    }
    const { filter, after, until } = await filterOf(ctx.db, accountId, target, choice)
    const last = Math.min(until ?? target.last_number, target.last_number)
    const of = { accountId, endpointId: id }
    const count = async (db: Db) => {
      const { counts, ...range } = await countReplay(db, of, filter, { after, until: last })
      return { counts: { ...counts, under_way: counts.in_flight }, range }
    }

    if (dry_run) {
      const { counts } = await count(ctx.db)
      const next = 'Nothing was enqueued. Send it again without `dry_run`.'
      return { counts, replay: null, next }
    }
    const made = await transaction(ctx.db, async (tx) => {
      const replayId = randomUUIDv7()
      const use = { operation: 'replay', subjectId: replayId, asked: { id, per_second, ...choice } }
      const earlier = await earlierUse(tx, ctx, key, use)
      if (earlier !== undefined) return { id: earlier }
      const { counts, range } = await count(tx)
      const pace = { perSecond: per_second, total: counts.would_send }
      const replay = { ...of, ...range, ...pace, id: replayId, filter, at: ctx.at }
      const outcome = await beginReplay(tx, replay)
      if (outcome === 'started') return { id: replayId, counts }
      if (outcome === 'deleted') throw refuse('endpoint_not_found')
      throw refuse('replay_running', undefined, { replay_id: outcome.openId })
    })
    if (made.counts) await signalEndpoint(ctx, id, { name: REPLAY_SIGNAL, replayId: made.id })
    const shown = await selectOptionalReplayOf(ctx.db, accountId, made.id)
    return {
      ...(made.counts ? { counts: made.counts } : { replayed: true }),
      replay: shown ?? null,
      next: shown
        ? `Read the replay ${made.id} or its deliveries.`
        : `The replay ${made.id} of an earlier request has been erased. Use a new key.`,
    }
  },
})
