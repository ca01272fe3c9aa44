import { z } from 'zod'
import type { Context } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { RESUME_SIGNAL } from '../rules/endpoint-messages.ts'
import { retrySchedule } from '../rules/retry-schedule.ts'
import { endpoint } from '../schema/endpoints.ts'
import { reopenEndpoint } from '../store/endpoint-states.ts'
import { discardHeld, releaseHeld } from '../store/held-deliveries.ts'
import * as fields from './endpoint-fields.ts'
import { ownEndpoint, signalEndpoint } from './own-endpoint.ts'
import { webhookOperation } from './webhook-operation.ts'

const input = z.strictObject({
  id: fields.endpointId,
  held: z
    .enum(['release', 'discard'])
    .default('release')
    .describe('What to do with held events: send them now, or never'),
})
type Input = z.output<typeof input>
const output = z.object({
  endpoint,
  released: z.int().optional().describe('Held deliveries that are due now'),
  discarded: z
    .int()
    .optional()
    .describe('Held deliveries that will not be sent; they stay readable'),
  next: fields.next.optional(),
})

export const resumeEndpoint = webhookOperation({
  name: 'resume endpoint',
  summary: 'Resume a paused endpoint',
  description:
    'Resumes sending. Held events are released, each with a whole retry schedule, or discarded ' +
    'if you ask for it. Resuming twice changes nothing.',
  input,
  output,
  errors: ['endpoint_not_found', 'endpoint_disabled'],
  run: (ctx, input) => reopen(ctx, input, 'paused'),
})

export const enableEndpoint = webhookOperation({
  name: 'enable endpoint',
  summary: 'Enable a disabled endpoint',
  description:
    'Enables an endpoint that you disabled, or that the network disabled after a 410 or ' +
    `${retrySchedule.disableDays} days of failures. Held events are released or discarded. If ` +
    'the URL was changed meanwhile, verify it next.',
  input,
  output,
  errors: ['endpoint_not_found'],
  run: (ctx, input) => reopen(ctx, input, 'disabled'),
})

/**
 * Changes held deliveries first: repeating the call after a crash continues. Of two calls at once
 * the second finds the endpoint open and changes nothing.
 */
async function reopen(ctx: Context, { id, held }: Input, from: 'paused' | 'disabled') {
  const before = await ownEndpoint(ctx, id)
  if (before.status === 'disabled' && from === 'paused') throw refuse('endpoint_disabled')
  if (before.status !== from) return { endpoint: before }
  const { at } = ctx
  const holding = { id, status: from, at }
  const end = (tx: Db) => reopenEndpoint(tx, id, { from, at })
  const count =
    held === 'release'
      ? { released: await releaseHeld(ctx.db, holding, end) }
      : { discarded: await discardHeld(ctx.db, holding, end) }
  await signalEndpoint(ctx, id, { name: RESUME_SIGNAL })
  const after = await ownEndpoint(ctx, id)
  const next = `Verify its URL: POST /api/webhooks/${id}/verify.`
  return { endpoint: after, ...count, ...(after.status === 'unverified' && { next }) }
}
