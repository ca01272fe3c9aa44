import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import { accountOf } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { endEndpoint } from '../steps/delete-endpoints.ts'
import { isDeletedEndpoint, lockOptionalEndpoint } from '../store/endpoints.ts'
import { discardHeld } from '../store/held-deliveries.ts'
import * as fields from './endpoint-fields.ts'
import { signalEndpoint } from './own-endpoint.ts'
import { webhookOperation } from './webhook-operation.ts'

export const deleteEndpoint = webhookOperation({
  name: 'delete endpoint',
  audit: 'endpoint.deleted',
  summary: 'Delete a webhook endpoint',
  description:
    'Nothing is sent to the endpoint any more. Its secrets and headers are erased and pending ' +
    'deliveries are discarded; deliveries stay readable. Deleting twice changes nothing.',
  input: z.strictObject({ id: fields.endpointId }),
  output: z.object({
    id: z.uuid(),
    deleted: z.literal(true),
    discarded: z.int().describe('Deliveries that were pending'),
  }),
  errors: ['endpoint_not_found'],
  async run(ctx, { id }) {
    const accountId = accountOf(ctx).id
    await transaction(ctx.db, async (tx) => {
      const endpoint = await lockOptionalEndpoint(tx, accountId, id)
      if (!endpoint && !(await isDeletedEndpoint(tx, accountId, id)))
        throw refuse('endpoint_not_found')
      if (!endpoint) return
      await endEndpoint(tx, id, ctx.at)
      await recordAudit(tx, ctx, 'endpoint.deleted', { id, name: endpoint.url })
    })
    // After a crash here, deleting again discards the rest.
    const discarded = await discardHeld(ctx.db, { id, status: 'deleted', at: ctx.at })
    await signalEndpoint(ctx, id)
    return { id, deleted: true as const, discarded }
  },
})
