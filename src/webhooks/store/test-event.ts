import { z } from 'zod'
import { type Db, queryOptionalRow } from '../../platform/database/sql.ts'
import { insertAccountEvent } from './events.ts'

/**
 * Writes an `endpoint.test` event for this endpoint alone, which must be active; returns the
 * event's id.
 */
export const insertTestEvent = (
  tx: Db,
  {
    accountId,
    endpointId,
    note,
    at,
  }: { accountId: string; endpointId: string; note: string | null; at: Date },
): Promise<string> =>
  insertAccountEvent(tx, {
    accountId,
    type: 'endpoint.test',
    data: { endpoint_id: endpointId, note },
    at,
    onlyEndpointId: endpointId,
  })

const deliveryRow = z.object({ id: z.uuid() })

/** The delivery of an event to an endpoint; null once it is erased. */
export async function selectOptionalDeliveryId(
  db: Db,
  { accountId, endpointId, eventId }: { accountId: string; endpointId: string; eventId: string },
): Promise<string | null> {
  const row = await queryOptionalRow(db, deliveryRow)`
    select d.id from delivery d
    join event e on e.account_id = d.account_id and e.number = d.event_number
    where e.account_id = ${accountId} and e.id = ${eventId} and d.endpoint_id = ${endpointId}`
  return row?.id ?? null
}
