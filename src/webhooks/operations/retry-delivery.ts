import { z } from 'zod'
import { Refusal, refuse } from '../../base/errors.ts'
import * as shared from '../../contract/fields.ts'
import { accountOf, presentOf } from '../../contract/operation.ts'
import type { WebhookContext } from '../engine.ts'
import { attempt, delivery } from '../schema/deliveries.ts'
import { selectOptionalDeliveryOf } from '../store/delivery-view.ts'
import { startOf } from './own-endpoint.ts'
import { deliveryId } from './read-deliveries.ts'
import { shownAttempts } from './shown-attempts.ts'
import { webhookOperation } from './webhook-operation.ts'

const refusals = {
  deleted: 'endpoint_deleted',
  disabled: 'endpoint_not_active',
  unknown: 'delivery_not_found',
  unproved: 'endpoint_not_active',
  busy: 'delivery_in_flight',
  no_secret: 'no_signing_secret',
} as const

export const retryDelivery = webhookOperation({
  name: 'retry delivery',
  summary: 'Retry a delivery now',
  description:
    'Sends a delivery now, whatever its status, and returns the outcome. If it does not ' +
    'arrive, its schedule is unchanged. This also works for paused and disabled endpoints, so ' +
    'that you can test a receiver before you enable it, but not for an unverified URL.',
  changes: true,
  input: z.strictObject({ id: deliveryId, wait: shared.wait }),
  output: z.object({
    status: z.enum(['succeeded', 'failed', 'unknown', 'pending']),
    delivery,
    attempt: attempt
      .nullable()
      .describe('The request and the response; null when they are not known'),
    next: shared.next.optional(),
  }),
  errors: [
    'delivery_not_found',
    'endpoint_deleted',
    'endpoint_not_active',
    'delivery_in_flight',
    'no_signing_secret',
    'service_unavailable',
  ],
  async run(ctx, { id, wait }) {
    const { endpoint_id, is_deleted, is_proved } = await find(ctx, id)
    if (is_deleted) throw refuse('endpoint_deleted')
    if (!is_proved) throw refuse('endpoint_not_active', NOT_PROVED, { endpoint_id })
    const outcome = await send(ctx, endpoint_id, id, wait)
    const { delivery, body } = await find(ctx, id)
    if (outcome === 'pending') {
      const next = 'The request is still in flight: read the delivery in a few seconds.'
      return { status: 'pending' as const, delivery, attempt: null, next }
    }
    const attempts = await shownAttempts(ctx, { id, body })
    const attempt = attempts.find((one) => one.id === outcome.id) ?? null
    return { status: outcome.status, delivery, attempt }
  },
})

const NOT_PROVED = 'The URL of the endpoint is not verified.'

async function find(ctx: WebhookContext, id: string) {
  const row = await selectOptionalDeliveryOf(ctx.db, accountOf(ctx).id, id, presentOf(ctx))
  if (!row) throw refuse('delivery_not_found')
  return row
}

/** A retry is recorded only when it is sent, so a caller that gets no answer must call again. */
async function send(ctx: WebhookContext, endpointId: string, deliveryId: string, wait: number) {
  const start = startOf(ctx, endpointId)
  const outcome = await ctx.engine.retryDelivery(start, deliveryId, wait).catch((error) => {
    if (!(error instanceof Refusal)) throw error
    throw refuse('service_unavailable', 'The booking engine is not answering.', { retry_after: 5 })
  })
  if (outcome === 'pending' || !('refused' in outcome)) return outcome
  // A crashed sender looks the same as one still waiting for its response.
  if (outcome.refused === 'lost') return 'pending' as const
  const detail = outcome.refused === 'unproved' ? NOT_PROVED : undefined
  throw refuse(refusals[outcome.refused], detail, { delivery_id: deliveryId })
}
