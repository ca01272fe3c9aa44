import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { invalidRequest, refuse } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import * as shared from '../../contract/fields.ts'
import { givenInstant } from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import { accountOf } from '../../contract/operation.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import type { WebhookContext } from '../engine.ts'
import { MAX_COUNTED } from '../schema/endpoints.ts'
import { replay } from '../schema/replays.ts'
import { beginPlanned, countPlan, planReplay } from '../steps/begin-replay.ts'
import { selectOptionalReplayOf } from '../store/replay-view.ts'
import {
  endOwnWait,
  retryFailing,
  retryThese,
  selectOwnDeliveries,
} from '../store/retried-deliveries.ts'
import { endpointId } from './endpoint-fields.ts'
import { lockOwnEndpoint, signalEndpoint } from './own-endpoint.ts'
import { deliveryId } from './read-deliveries.ts'
import { webhookOperation } from './webhook-operation.ts'

const MAX_CHOSEN = 100
const REPLAYS_PER_SECOND = 100

const input = z.strictObject({
  deliveries: z
    .array(deliveryId)
    .min(1)
    .max(MAX_CHOSEN)
    .optional()
    .describe('These deliveries, whatever their status'),
  endpoint: endpointId
    .optional()
    .describe('All deliveries of this endpoint that wait after a failed attempt'),
  failed_since: givenInstant
    .optional()
    .describe('With `endpoint`: replay what failed or expired since this instant, too'),
  idempotency_key: shared.idempotencyKey.optional(),
})
type Input = z.output<typeof input>

export const retryDeliveries = webhookOperation({
  name: 'retry deliveries',
  audit: 'delivery.retried',
  summary: 'Retry many deliveries now',
  description:
    'Makes deliveries due now, each with a full retry schedule: those that you name, or all ' +
    'that wait at an endpoint after a failed attempt. Use it once your receiver works again. ' +
    'They keep `webhook-id`, body and sequence. A paused or disabled endpoint holds them.',
  input,
  output: z.object({
    retried: z
      .int()
      .describe(`Deliveries that are due now, up to ${MAX_COUNTED}; not counting the replay`),
    skipped: z.int().describe('Named deliveries that are in flight'),
    replay: replay.nullable().describe('The replay of what failed or expired, if any did'),
    replayed: shared.replayed.optional(),
    next: shared.next,
  }),
  errors: [
    'delivery_not_found',
    'endpoint_not_found',
    'endpoint_deleted',
    'endpoint_not_active',
    'replay_running',
    'idempotency_mismatch',
  ],
  async run(ctx, request) {
    refuseUnlessOneWay(request)
    return request.deliveries ? retryChosen(ctx, request) : retryAll(ctx, request)
  },
})

function refuseUnlessOneWay({ deliveries, endpoint, failed_since }: Input): void {
  const fault = (field: string, detail: string) => invalidRequest([{ pointer: field, detail }])
  if (deliveries && endpoint) throw fault('/endpoint', 'give either `deliveries` or `endpoint`')
  if (!deliveries && !endpoint) throw fault('', 'give `deliveries` or `endpoint`')
  if (failed_since && !endpoint) throw fault('/failed_since', 'give it with `endpoint` only')
}

async function retryChosen(ctx: WebhookContext, { idempotency_key: key, ...request }: Input) {
  const ids = [...new Set(request.deliveries)]
  const use = { operation: 'retry chosen', subjectId: randomUUIDv7(), asked: request }
  const result = await transaction(ctx.db, async (tx) => {
    const deliveries = await ownDeliveries(tx, ctx, ids)
    if ((await earlierUse(tx, ctx, key, use)) !== undefined) return { isRepeated: true, deliveries }
    let retried = 0
    const byEndpoint = Map.groupBy(deliveries, ({ endpoint_id }) => endpoint_id)
    // In the order of their ids, so that two transactions lock endpoints in the same order.
    for (const id of [...byEndpoint.keys()].toSorted()) {
      await endOwnWait(tx, id)
      const these = byEndpoint.get(id)?.map((one) => one.id) ?? []
      retried += await retryThese(tx, id, these, ctx.at)
    }
    await recordAudit(tx, ctx, 'delivery.retried', { details: { retried } })
    return { isRepeated: false, retried, skipped: deliveries.length - retried, deliveries }
  })
  const { deliveries, isRepeated, retried = 0, skipped = 0 } = result
  for (const id of new Set(deliveries.map((one) => one.endpoint_id))) await signalEndpoint(ctx, id)
  const next = 'Read the deliveries in a few seconds.'
  return { retried, skipped, replay: null, ...(isRepeated && { replayed: true }), next }
}

/** Deliveries by id; all must belong to the account, and their endpoints must accept requests. */
async function ownDeliveries(tx: Db, ctx: WebhookContext, ids: readonly string[]) {
  const deliveries = await selectOwnDeliveries(tx, accountOf(ctx).id, ids)
  const count = ids.length - deliveries.length
  if (count > 0) {
    throw refuse('delivery_not_found', `${count} of the deliveries do not belong to this account.`)
  }
  for (const { endpoint_id, is_deleted, is_proved } of deliveries) {
    if (is_deleted) throw refuse('endpoint_deleted', undefined, { endpoint_id })
    if (!is_proved) throw notVerified(endpoint_id)
  }
  return deliveries
}

const notVerified = (endpoint_id: string) =>
  refuse('endpoint_not_active', 'The URL of the endpoint is not verified.', { endpoint_id })

async function retryAll(ctx: WebhookContext, { idempotency_key: key, ...request }: Input) {
  const { endpoint: id = '', failed_since } = request
  const replayId = randomUUIDv7()
  const result = await transaction(ctx.db, async (tx) => {
    const { is_proved } = await lockOwnEndpoint(tx, ctx, id)
    if (!is_proved) throw notVerified(id)
    const use = { operation: 'retry all', subjectId: replayId, asked: request }
    const earlier = await earlierUse(tx, ctx, key, use)
    if (earlier !== undefined) return { replayId: earlier, isRepeated: true, retried: 0, total: 0 }
    await endOwnWait(tx, id)
    const retried = await retryFailing(tx, id, MAX_COUNTED, ctx.at)
    const total = failed_since ? await replayFailed(tx, ctx, { id, replayId, failed_since }) : 0
    const details = { endpoint_id: id, retried, replayed: total }
    await recordAudit(tx, ctx, 'delivery.retried', { details })
    return { replayId, isRepeated: false, retried, total }
  })
  const { retried, total, isRepeated } = result
  await signalEndpoint(ctx, id)
  if (total > 0 && failed_since) {
    const signal = { name: 'replay', id: replayId, total, per_second: REPLAYS_PER_SECOND } as const
    await signalEndpoint(ctx, id, { ...signal, failed_since })
  }
  return {
    retried,
    skipped: 0,
    replay: (await selectOptionalReplayOf(ctx.db, accountOf(ctx).id, result.replayId)) ?? null,
    ...(isRepeated && { replayed: true }),
    next: 'Read the deliveries of the endpoint in a few seconds.',
  }
}

/** Begins a replay if anything has failed; returns the number of events. */
async function replayFailed(
  tx: Db,
  ctx: WebhookContext,
  { id, replayId, failed_since }: { id: string; replayId: string; failed_since: string },
): Promise<number> {
  const of = { accountId: accountOf(ctx).id, endpointId: id }
  const plan = await planReplay(tx, of, { failed_since })
  const { counts } = await countPlan(tx, plan)
  if (counts.would_send === 0) return 0
  const replay = { id: replayId, commandId: replayId, perSecond: REPLAYS_PER_SECOND, at: ctx.at }
  return (await beginPlanned(tx, plan, replay))?.would_send ?? 0
}
