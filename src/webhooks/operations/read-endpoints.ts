import { z } from 'zod'
import { accountOf, type Services } from '../../contract/operation.ts'
import { endpoint } from '../schema/endpoints.ts'
import { type EndpointTrouble, selectEndpointTroubles } from '../store/endpoint-troubles.ts'
import { selectEndpointViews } from '../store/endpoint-view.ts'
import * as fields from './endpoint-fields.ts'
import { ownEndpoint } from './own-endpoint.ts'
import { webhookOperation } from './webhook-operation.ts'

export const getEndpoint = webhookOperation({
  name: 'read endpoint',
  summary: 'Read an endpoint',
  description:
    'Returns the status of an endpoint and the reason, since when it has been failing, when it ' +
    'is tried next, its pending deliveries and its signing keys.',
  input: z.strictObject({ id: fields.endpointId }),
  output: z.object({ endpoint }),
  errors: ['endpoint_not_found'],
  run: async (ctx, { id }) => ({ endpoint: await ownEndpoint(ctx, id) }),
})

export const listEndpoints = webhookOperation({
  name: 'list endpoints',
  summary: 'List the endpoints of your account',
  description: 'Lists every endpoint of the account, newest first.',
  input: z.strictObject({}),
  output: z.object({ endpoints: z.array(endpoint) }),
  run: async (ctx) => ({
    endpoints: await selectEndpointViews(ctx.db, accountOf(ctx).id, ctx.at, null),
  }),
})

export type { EndpointTrouble }

/** The account's endpoints that are failing or that the network has disabled. */
export const readEndpointTroubles = ({ db }: Pick<Services, 'db'>, accountId: string) =>
  selectEndpointTroubles(db, accountId)
