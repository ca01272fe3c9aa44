import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import type { WebhookContext } from '../engine.ts'
import { retrySchedule } from '../rules/retry-schedule.ts'
import { endpoint } from '../schema/endpoints.ts'
import { reopenOnce } from '../steps/command-once.ts'
import * as fields from './endpoint-fields.ts'
import { ownEndpoint, signalEndpoint } from './own-endpoint.ts'
import { webhookOperation } from './webhook-operation.ts'

const input = z
  .strictObject({
    id: fields.endpointId,
    held: z
      .enum(['release', 'discard'])
      .default('release')
      .describe('What to do with held events: send them now, or never'),
  })
  .meta({ id: 'ReopenBody' })
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
  audit: 'endpoint.resumed',
  summary: 'Resume a paused endpoint',
  description:
    'Resumes sending. Held events are released, each with a full retry schedule, or discarded ' +
    'if you ask for it. Resuming twice changes nothing.',
  input,
  output,
  errors: ['endpoint_not_found', 'endpoint_disabled'],
  run: (ctx, input) => reopen(ctx, input, 'paused'),
})

export const enableEndpoint = webhookOperation({
  name: 'enable endpoint',
  audit: 'endpoint.enabled',
  summary: 'Enable a disabled endpoint',
  description:
    'Enables an endpoint that you disabled, or that the network disabled after a 410 or ' +
    `${retrySchedule.disableDays} days of failures. Held events are released or discarded. If ` +
    'the URL has changed since, verify it next.',
  input,
  output,
  errors: ['endpoint_not_found'],
  run: (ctx, input) => reopen(ctx, input, 'disabled'),
})

async function reopen(ctx: WebhookContext, { id, held }: Input, from: 'paused' | 'disabled') {
  const before = await ownEndpoint(ctx, id)
  if (before.status === 'disabled' && from === 'paused') throw refuse('endpoint_disabled')
  if (before.status !== from) return { endpoint: before }
  const command = { endpointId: id, id: randomUUIDv7(), name: 'resume', at: ctx.at } as const
  const count = await reopenOnce(ctx.db, command, { from, held }, ctx)
  await signalEndpoint(ctx, id, { name: 'resume', id: command.id, from, held })
  const after = await ownEndpoint(ctx, id)
  const next = `Verify its URL: POST /api/webhooks/${id}/verify.`
  return { endpoint: after, ...count, ...(after.status === 'unverified' && { next }) }
}
