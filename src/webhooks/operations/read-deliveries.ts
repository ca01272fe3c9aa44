import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { decodeCursor, encodeCursor, pageOf } from '../../contract/cursor.ts'
import { givenInstant } from '../../contract/fields.ts'
import { accountOf } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import type { WebhookContext } from '../engine.ts'
import { deliveryFilters } from '../rules/statuses.ts'
import { attempt, delivery } from '../schema/deliveries.ts'
import { typesIn, typesText } from '../schema/events.ts'
import { selectDeliveriesOf } from '../store/delivery-list.ts'
import { selectOptionalDeliveryOf } from '../store/delivery-view.ts'
import { selectOptionalEvent } from '../store/events.ts'
import { selectOptionalReplayTarget } from '../store/replays.ts'
import { endpointId } from './endpoint-fields.ts'
import { shownAttempts } from './shown-attempts.ts'
import { webhookOperation } from './webhook-operation.ts'

const position = z.tuple([z.int().min(0), z.uuid()])

const eventId = z.uuid().toLowerCase()
export const deliveryId = z.uuid().toLowerCase().describe('Delivery id')

export const listDeliveries = webhookOperation({
  name: 'list deliveries',
  summary: 'List the deliveries to your endpoints',
  description:
    'Lists deliveries, one per event and endpoint, newest events first: status, last attempt, ' +
    'next attempt and the rule behind it. Deliveries are erased 30 days after they are settled ' +
    '(the operator’s WEBHOOK_RETENTION_DAYS); events stay.',
  input: z.strictObject({
    endpoint: endpointId.optional(),
    status: z
      .enum(deliveryFilters)
      .optional()
      .describe('`failing`: pending after a failed attempt'),
    type: typesText.optional(),
    event: eventId.optional().describe('Deliveries of this event only'),
    from: givenInstant.optional().describe('Enqueued at this instant or later'),
    until: givenInstant.optional().describe('Enqueued before this instant'),
    ...pageInput,
  }),
  output: z.object({ deliveries: z.array(delivery), next_cursor: nextCursor }),
  errors: ['endpoint_not_found', 'event_not_found', 'invalid_cursor'],
  async run(ctx, { endpoint: endpointId, status, type, event, from, until, limit, cursor }) {
    const accountId = accountOf(ctx).id
    const after = decodeCursor(position, cursor)
    if (endpointId && !(await selectOptionalReplayTarget(ctx.db, accountId, endpointId))) {
      throw refuse('endpoint_not_found')
    }
    const eventNumber = event === undefined ? undefined : await numberOf(ctx, event)
    const filter = { endpointId, status, types: typesIn(type), eventNumber, from, before: until }
    const page = { ...filter, after, limit: limit + 1 }
    const matches = await selectDeliveriesOf(ctx.db, accountId, page, ctx.at)
    const { rows: deliveries, next_cursor } = pageOf(matches, limit, (last) =>
      encodeCursor([last.event.number, last.endpoint_id]),
    )
    return { deliveries, next_cursor }
  },
})

async function numberOf(ctx: WebhookContext, eventId: string) {
  const event = await selectOptionalEvent(ctx.db, accountOf(ctx).id, eventId)
  if (!event) throw refuse('event_not_found')
  return event.number
}

export const getDelivery = webhookOperation({
  name: 'read delivery',
  summary: 'Read a delivery with its attempts',
  description:
    'Returns a delivery, its body, and its newest 50 attempts: time, duration, request ' +
    '(custom headers hidden), response (first 16 kB), next attempt and the rule behind it.',
  input: z.strictObject({ id: deliveryId }),
  output: z.object({
    delivery,
    body: z
      .string()
      .nullable()
      .describe('Exactly what is signed and sent; null until it is first sent'),
    attempts: z.array(attempt).describe('Newest first'),
  }),
  errors: ['delivery_not_found'],
  async run(ctx, { id }) {
    const row = await selectOptionalDeliveryOf(ctx.db, accountOf(ctx).id, id, ctx.at)
    if (!row) throw refuse('delivery_not_found')
    const { delivery, body } = row
    return { delivery, body, attempts: await shownAttempts(ctx, { id, body }) }
  },
})
