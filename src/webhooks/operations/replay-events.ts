import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import * as shared from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import { accountOf } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { replay, replayCounts } from '../schema/replays.ts'
import { beginPlanned, countPlan, planReplay } from '../steps/begin-replay.ts'
import { choiceFields } from '../steps/replay-choice.ts'
import { selectOptionalReplayOf } from '../store/replay-view.ts'
import { endpointId } from './endpoint-fields.ts'
import { signalEndpoint } from './own-endpoint.ts'
import { webhookOperation } from './webhook-operation.ts'

export const replayEvents = webhookOperation({
  name: 'replay events',
  audit: 'replay.created',
  summary: 'Replay events to an endpoint',
  description:
    'Enqueues events for one endpoint again, after new ones and at a limited rate. Choose them ' +
    'in one way: by id, number or time, by type alone, those that failed since a time, or those ' +
    'never attempted. Events that were sent before keep `webhook-id`, body and ' +
    'sequence; deliveries that are pending or in flight are skipped. `dry_run` only counts. ' +
    'An endpoint has one replay at a time; a paused or disabled endpoint holds it.',
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
    'nothing_to_replay',
    'replay_running',
    'idempotency_mismatch',
  ],
  async run(ctx, { idempotency_key: key, dry_run, per_second, id, ...choice }) {
    const accountId = accountOf(ctx).id
    const plan = await planReplay(ctx.db, { accountId, endpointId: id }, choice)
    if (dry_run) {
      const { counts } = await countPlan(ctx.db, plan)
      const next = 'Nothing was enqueued. Send it again without `dry_run`.'
      return { counts, replay: null, next }
    }
    const outcome = await transaction(ctx.db, async (tx) => {
      const replayId = randomUUIDv7()
      const use = { operation: 'replay', subjectId: replayId, asked: { id, per_second, ...choice } }
      const earlier = await earlierUse(tx, ctx, key, use)
      if (earlier !== undefined) return { id: earlier }
      const pace = { perSecond: per_second, at: ctx.at }
      const counts = await beginPlanned(tx, plan, { id: replayId, commandId: replayId, ...pace })
      if (counts?.would_send === 0) throw refuse('nothing_to_replay')
      const details = { endpoint_id: id, events: counts?.would_send, per_second }
      await recordAudit(tx, ctx, 'replay.created', { id: replayId, details })
      return { id: replayId, counts }
    })
    if (outcome.counts) {
      const signal = { name: 'replay', id: outcome.id, total: outcome.counts.would_send } as const
      await signalEndpoint(ctx, id, { ...signal, per_second, ...choice })
    }
    const current = await selectOptionalReplayOf(ctx.db, accountId, outcome.id)
    return {
      ...(outcome.counts ? { counts: outcome.counts } : { replayed: true }),
      replay: current ?? null,
      next: current
        ? `Read the replay ${outcome.id} or its deliveries.`
        : `The replay ${outcome.id} of an earlier request has been erased. Use a new key.`,
    }
  },
})
