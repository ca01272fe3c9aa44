import sql from 'sql-template-tag'
import type { OpenWork } from '../../contract/open-work.ts'
import type { WebhookEngine } from '../engine.ts'
import { selectEndpointStart } from '../store/endpoint-starts.ts'

/** Lists endpoints as open work. */
export const openEndpoints: OpenWork<WebhookEngine> = {
  name: 'endpoints',
  workflows: { webhookDelivery: 'webhook/' },
  open: sql`select id from endpoint where deleted_at is null`,
  resume: async ({ db, engine }, id) => engine.resumeEndpoint(await selectEndpointStart(db, id)),
}
