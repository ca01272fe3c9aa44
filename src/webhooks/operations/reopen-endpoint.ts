import { z } from 'zod'
import { type Context, defineOperation } from '../../contract/define.ts'
import { refuse } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { RESUME_SIGNAL } from '../rules/webhooks.ts'
import { endpoint } from '../schema/endpoints.ts'
import { reopenEndpoint } from '../store/endpoint-states.ts'
import { discardHeld, releaseHeld } from '../store/held-deliveries.ts'
import * as fields from './endpoint-fields.ts'
import { ownEndpoint, signalEndpoint } from './own-endpoint.ts'

const input = z.strictObject({
  id: fields.endpointId,
  held: z
    .enum(['release', 'discard'])
    .default('release')
    .describe('What becomes of the events that were held: sent now, or never'),
})
const output = z.object({
  endpoint,
  released: z.int().optional().describe('Held events that are due now'),
  discarded: z.int().optional().describe('Held events that are not sent; they stay readable'),
  next: fields.next.optional(),
})

export const resumeEndpoint = defineOperation({
  name: 'resume endpoint',
  summary: 'End the pause of an endpoint',
  description:
    'Sends again. Events that were held are released, each with a whole schedule of tries before it, or discarded if you say so. Resuming twice changes nothing.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output,
  errors: ['endpoint_not_found', 'endpoint_disabled'],
  run: (ctx, asked) => reopen(ctx, asked, 'paused'),
})

export const enableEndpoint = defineOperation({
  name: 'enable endpoint',
  summary: 'Switch an endpoint on again',
  description:
    'Ends a disabling, your own or one after 410 or five days of failures, with a clean slate. Events that were held are released or discarded. ' +
    'Where the URL was changed meanwhile it has to prove itself first.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output,
  errors: ['endpoint_not_found'],
  run: (ctx, asked) => reopen(ctx, asked, 'disabled'),
})

/**
 * What is held is seen to first: whoever repeats this after a crash finds the endpoint holding still, and goes on. Of two at the same
 * moment, the second finds it open and touches nothing.
 */
async function reopen(
  ctx: Context,
  { id, held }: z.output<typeof input>,
  from: 'paused' | 'disabled',
) {
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
  const next = `Its URL has to prove itself: POST /api/webhooks/${id}/verify.`
  return { endpoint: after, ...count, ...(after.status === 'unverified' && { next }) }
}
