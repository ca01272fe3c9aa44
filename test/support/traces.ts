import type { Pool } from '../../src/platform/database/sql.ts'

/** The rows of a booking without ids and times, so that two bookings can be compared. */
export async function traces(db: Pool, bookingId: string) {
  const one = async (text: string) => (await db.query(text, [bookingId])).rows
  return {
    booking: await one(
      `select status, revision, reason_code, fee_status, venue_sync, party_size,
         next_action_at is not null as live from booking where id = $1`,
    ),
    steps: (
      await one(
        `select transition_id from transition where booking_id = $1
         order by at, array_position(array['hold', 'ask', 'confirm', 'complete'], transition_id)`,
      )
    ).map((row) => row.transition_id.replace(/^(venue):.*/, '$1')),
    fees: await one(
      `select kind, base_minor, amount_minor, currency, pct, is_demo from fee_entry
       where booking_id = $1 order by created_at, kind desc`,
    ),
    events: (await one('select type from event where booking_id = $1 order by number')).map(
      (row) => row.type,
    ),
    allocations: await one(
      `select r.kind, a.active from allocation a join resource r on r.id = a.resource_id
       where a.booking_id = $1 order by r.kind`,
    ),
    places: await one('select places, active from slot_count where booking_id = $1'),
  }
}
