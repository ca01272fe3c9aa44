import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import * as shared from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import { accountOf } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { throttleCaller } from '../../platform/database/throttle.ts'
import { updateUseSubject } from '../../platform/database/used-keys.ts'
import { testEventsSent } from '../rules/limits.ts'
import { selectOptionalDeliveryId } from '../store/delivery-view.ts'
import { insertAccountEvent } from '../store/events.ts'
import * as fields from './endpoint-fields.ts'
import { lockOwnEndpoint } from './own-endpoint.ts'
import { webhookOperation } from './webhook-operation.ts'

export const testEndpoint = webhookOperation({
  name: 'test endpoint',
  summary: 'Send a test event',
  description:
    'Writes an `endpoint.test` event and delivers it to this endpoint alone, whatever types it ' +
    'subscribes to. A staged secret signs it too.',
  changes: true,
  input: z.strictObject({
    id: fields.endpointId,
    note: fields.description.optional().describe('Returned in `data.note` of the event'),
    idempotency_key: shared.idempotencyKey.optional(),
  }),
  output: z.object({
    event_id: z.uuid(),
    delivery_id: z.uuid().nullable().describe('null once it is erased'),
    replayed: shared.replayed.optional(),
    next: fields.next,
  }),
  errors: ['endpoint_not_found', 'endpoint_not_active', 'idempotency_mismatch', 'too_many_tries'],
  async run(ctx, { idempotency_key: key, ...request }) {
    const accountId = accountOf(ctx).id
    const { id: endpointId, note = null } = request
    const { eventId, ...replayed } = await transaction(ctx.db, async (tx) => {
      const { status } = await lockOwnEndpoint(tx, ctx, endpointId)
      const use = { operation: 'endpoint test', subjectId: endpointId, asked: request }
      const earlier = await earlierUse(tx, ctx, key, use)
      if (earlier) return { eventId: earlier, replayed: true }
      if (status !== 'active') throw refuse('endpoint_not_active', `The endpoint is ${status}.`)
      await throttleCaller(tx, testEventsSent, ctx)
      const data = { endpoint_id: endpointId, note }
      const event = { accountId, type: 'endpoint.test', data, at: ctx.at } as const
      const eventId = await insertAccountEvent(tx, { ...event, onlyEndpointId: endpointId })
      if (key !== undefined) await updateUseSubject(tx, accountId, key, eventId)
      return { eventId }
    })
    const of = { accountId, endpointId, eventId }
    const delivery_id = await selectOptionalDeliveryId(ctx.db, of)
    return {
      event_id: eventId,
      delivery_id,
      ...replayed,
      next: delivery_id
        ? `Read the outcome: GET /api/deliveries/${delivery_id}`
        : `Its delivery has been erased. The event stays: GET /api/events/${eventId}`,
    }
  },
})
