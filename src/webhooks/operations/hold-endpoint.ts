import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import type { WebhookContext } from '../engine.ts'
import { endpoint } from '../schema/endpoints.ts'
import { holdEndpoint } from '../steps/command-once.ts'
import * as fields from './endpoint-fields.ts'
import { ownEndpoint, signalEndpoint } from './own-endpoint.ts'
import { webhookOperation } from './webhook-operation.ts'

const common = {
  input: z.strictObject({ id: fields.endpointId }),
  output: z.object({ endpoint }),
}

export const pauseEndpoint = webhookOperation({
  name: 'pause endpoint',
  audit: 'endpoint.paused',
  summary: 'Pause an endpoint',
  description:
    'Nothing is sent until you resume it; new events are held. Pausing twice changes nothing.',
  ...common,
  errors: ['endpoint_not_found', 'endpoint_not_active'],
  async run(ctx, { id }) {
    await ownEndpoint(ctx, id)
    const isPaused = await hold(ctx, id, 'pause')
    const after = await ownEndpoint(ctx, id)
    if (!isPaused && after.status !== 'paused') {
      throw refuse('endpoint_not_active', `The endpoint is ${after.status}.`)
    }
    return { endpoint: after }
  },
})

async function hold(ctx: WebhookContext, endpointId: string, name: 'pause' | 'disable') {
  const id = randomUUIDv7()
  const isHeld = await holdEndpoint(ctx.db, { endpointId, id, name, at: ctx.at }, 'owner', ctx)
  if (isHeld) await signalEndpoint(ctx, endpointId, { name, id })
  return isHeld
}

export const disableEndpoint = webhookOperation({
  name: 'disable endpoint',
  audit: 'endpoint.disabled',
  summary: 'Disable an endpoint',
  description: 'Nothing is sent until you enable it, not even a challenge; new events are held.',
  ...common,
  errors: ['endpoint_not_found'],
  async run(ctx, { id }) {
    await ownEndpoint(ctx, id)
    await hold(ctx, id, 'disable')
    return { endpoint: await ownEndpoint(ctx, id) }
  },
})
