import { z } from 'zod'
import { type Context, defineOperation } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { PAUSE_SIGNAL } from '../rules/endpoint-messages.ts'
import { endpoint } from '../schema/endpoints.ts'
import * as states from '../store/endpoint-states.ts'
import * as fields from './endpoint-fields.ts'
import { ownEndpoint, signalEndpoint } from './own-endpoint.ts'

const input = z.strictObject({ id: fields.endpointId })
const output = z.object({ endpoint })

export const pauseEndpoint = defineOperation({
  name: 'pause endpoint',
  summary: 'Pause an endpoint',
  description:
    'Nothing is sent until you resume it; new events are held. Pausing twice changes nothing.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output,
  errors: ['endpoint_not_found', 'endpoint_not_active'],
  run: (ctx, { id }) => hold(ctx, id, 'paused', states.pauseEndpoint),
})

export const disableEndpoint = defineOperation({
  name: 'disable endpoint',
  summary: 'Disable an endpoint',
  description: 'Nothing is sent until you enable it, not even a challenge; new events are held.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output,
  errors: ['endpoint_not_found'],
  run: (ctx, { id }) => hold(ctx, id, 'disabled', states.disableEndpoint),
})

async function hold(
  ctx: Context,
  id: string,
  wanted: 'paused' | 'disabled',
  change: (db: Context['db'], id: string, at: Date) => Promise<boolean>,
) {
  await ownEndpoint(ctx, id)
  const isChanged = await change(ctx.db, id, ctx.at)
  if (isChanged) await signalEndpoint(ctx, id, { name: PAUSE_SIGNAL })
  const after = await ownEndpoint(ctx, id)
  if (!isChanged && after.status !== wanted) {
    throw refuse('endpoint_not_active', `The endpoint is ${after.status}.`)
  }
  return { endpoint: after }
}
