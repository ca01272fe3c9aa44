import { z } from 'zod'
import { accountOf, defineOperation, type Services } from '../../contract/define.ts'
import { endpoint } from '../schema/endpoints.ts'
import { selectEndpointUrls, selectEndpointViews } from '../store/endpoint-view.ts'
import * as fields from './endpoint-fields.ts'
import { ownEndpoint } from './own-endpoint.ts'

export const getEndpoint = defineOperation({
  name: 'read endpoint',
  summary: 'One endpoint of your account',
  description:
    'Answers where an endpoint stands and why, since when it fails, when it is tried next, what waits for it, and which secrets sign.',
  tier: 'free',
  scope: 'webhooks',
  input: z.strictObject({ id: fields.endpointId }),
  output: z.object({ endpoint }),
  errors: ['endpoint_not_found'],
  run: async (ctx, { id }) => ({ endpoint: await ownEndpoint(ctx, id) }),
})

export const listEndpoints = defineOperation({
  name: 'list endpoints',
  summary: 'The endpoints of your account',
  description: 'Lists every endpoint of the account, newest first.',
  tier: 'free',
  scope: 'webhooks',
  input: z.strictObject({}),
  output: z.object({ endpoints: z.array(endpoint) }),
  errors: [],
  run: async (ctx) => ({
    endpoints: await selectEndpointViews(ctx.db, accountOf(ctx).id, { at: ctx.at }),
  }),
})

/** The endpoints of an account with their addresses alone, for what names them again and again. */
export const readEndpointUrls = (
  { db }: Pick<Services, 'db'>,
  accountId: string,
): Promise<{ id: string; url: string }[]> => selectEndpointUrls(db, accountId)
