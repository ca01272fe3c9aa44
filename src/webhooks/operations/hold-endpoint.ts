import { z } from 'zod'
import { refuse } from '../../contract/rules/errors.ts'
import { PAUSE_SIGNAL } from '../rules/endpoint-messages.ts'
import { endpoint } from '../schema/endpoints.ts'
import * as states from '../store/endpoint-states.ts'
import * as fields from './endpoint-fields.ts'
import { ownEndpoint, signalEndpoint } from './own-endpoint.ts'
import { webhookOperation } from './webhook-operation.ts'

const common = {
  input: z.strictObject({ id: fields.endpointId }),
  output: z.object({ endpoint }),
}

export const pauseEndpoint = webhookOperation({
  name: 'pause endpoint',
  summary: 'Pause an endpoint',
  description:
    'Nothing is sent until you resume it; new events are held. Pausing twice changes nothing.',
  ...common,
  errors: ['endpoint_not_found', 'endpoint_not_active'],
  async run(ctx, { id }) {
    await ownEndpoint(ctx, id)
    const isPaused = await states.pauseEndpoint(ctx.db, id, ctx.at)
    if (isPaused) await signalEndpoint(ctx, id, { name: PAUSE_SIGNAL })
    const after = await ownEndpoint(ctx, id)
    if (!isPaused && after.status !== 'paused') {
      throw refuse('endpoint_not_active', `The endpoint is ${after.status}.`)
    }
    return { endpoint: after }
  },
})

export const disableEndpoint = webhookOperation({
  name: 'disable endpoint',
  summary: 'Disable an endpoint',
  description: 'Nothing is sent until you enable it, not even a challenge; new events are held.',
  ...common,
  errors: ['endpoint_not_found'],
  async run(ctx, { id }) {
    await ownEndpoint(ctx, id)
    const isDisabled = await states.disableEndpoint(ctx.db, id, ctx.at)
    if (isDisabled) await signalEndpoint(ctx, id, { name: PAUSE_SIGNAL })
    return { endpoint: await ownEndpoint(ctx, id) }
  },
})
