import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import { MAX_TROUBLES, type Trouble } from '../rules/batch-messages.ts'
import { eventName } from '../rules/event-types.ts'

const troubleRow = z.object({
  event_type: z.string(),
  event_number: z.int(),
  event_id: z.uuid(),
  booking_id: z.uuid().nullable(),
  tries: z.int(),
  due_at: z.date(),
  http_status: z.int().nullable(),
  failure: z.string().nullable(),
})

/** The first few, in order, of the endpoint's failed deliveries that await another attempt. */
export async function selectTroubles(db: Db, endpointId: string): Promise<Trouble[]> {
  const rows = await query.rows(db, troubleRow)`
    select d.event_type, d.event_number, v.id as event_id, v.booking_id, d.tries, d.due_at,
      a.http_status, a.failure
    from delivery d join event v on v.account_id = d.account_id and v.number = d.event_number
      left join lateral (
        select http_status, failure from attempt where delivery_id = d.id
        order by number desc limit 1) a on true
    where d.endpoint_id = ${endpointId} and d.status = 'pending' and d.tries > 0
    order by d.event_number limit ${MAX_TROUBLES}`
  return rows.map(({ event_type, event_number, event_id, booking_id, ...row }) => ({
    event: eventName(event_type, event_number),
    id: event_id,
    booking: booking_id,
    tries: row.tries,
    nextAt: row.due_at.getTime(),
    outcome: row.http_status ? `HTTP ${row.http_status}` : (row.failure ?? 'unknown'),
  }))
}
