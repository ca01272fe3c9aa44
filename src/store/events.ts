import { randomUUIDv7 } from 'node:crypto'
import { type Db, execute } from './sql.ts'

/** One thing that happened to a booking; `data` is what its owner may see. */
export type NewEvent = { type: string; data: Record<string, unknown> }

/**
 * Numbers the events and writes them. The account's counter row is locked here, so call it last in a transaction:
 * number order is then commit order, without gaps.
 */
export async function insertEvents(
  tx: Db,
  cause: { accountId: string; bookingId: string; transitionId: string; at: Date },
  events: NewEvent[],
): Promise<void> {
  await execute(
    tx,
    `with counter as (
       insert into event_counter (account_id, last) values ($1, $2)
       on conflict (account_id) do update set last = event_counter.last + excluded.last
       returning last
     )
     insert into event (account_id, number, id, type, booking_id, transition_id, data, created_at)
     select $1, counter.last - $2 + e.position, e.id, e.type, $3, $4, e.data, $5
     from counter, unnest($6::uuid[], $7::text[], $8::jsonb[])
       with ordinality as e (id, type, data, position)`,
    [
      cause.accountId,
      events.length,
      cause.bookingId,
      cause.transitionId,
      cause.at,
      events.map(() => randomUUIDv7()),
      events.map(({ type }) => type),
      events.map(({ data }) => JSON.stringify(data)),
    ],
  )
}
