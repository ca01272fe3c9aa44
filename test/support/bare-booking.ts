import { randomUUIDv7 } from 'node:crypto'
import type { Pool } from '../../src/platform/database/sql.ts'

/** The row of an ended booking without a history, for rows that refer to bookings. */
export async function insertBareBooking(db: Pool, accountId: string): Promise<string> {
  const id = randomUUIDv7()
  await db.query(
    `with o as (
       select id, venue_id, rule_version from service order by id limit 1
     ), r as (
       insert into request (booking_id, account_id, operation, body_hash, door, venue_id, slot_time,
         party_size, created_at)
       select $1, $2, 'confirm', '', 'rest', venue_id, '2027-01-15T19:00', 2, now() from o
     )
     insert into booking (id, account_id, venue_id, service_id, rule_version, status, revision,
       slot_time, starts_at, ends_at, party_size, cancel_until, created_at, updated_at)
     select $1, $2, venue_id, id, rule_version, 'failed', 1, '2027-01-15T19:00',
       '2027-01-15T11:00Z', '2027-01-15T13:00Z', 2, now(), now(), now()
     from o`,
    [id, accountId],
  )
  return id
}
