import sql, { empty } from 'sql-template-tag'
import { selectBookingStarts } from '../../bookings/store/booking-starts.ts'
import type { Db } from '../../platform/database/sql.ts'

/** A booking at this venue; only one that its own system confirms, if `mode` is given. */
export async function selectOptionalStartAt(
  db: Db,
  venueId: string,
  bookingId: string,
  mode?: 'http',
) {
  const confirmed = mode ? sql`and b.confirm_mode = ${mode}` : empty
  const where = sql`b.id = ${bookingId} and b.venue_id = ${venueId} ${confirmed}`
  return (await selectBookingStarts(db, where))[0]
}

/** Bookings with a response from before `receivedBefore` that nobody has applied, up to `limit`. */
export const selectUnappliedStarts = (db: Db, receivedBefore: Date, limit: number) =>
  selectBookingStarts(
    db,
    sql`r.booking_id in (
      select booking_id from venue_statement
      where effect is null and received_at < ${receivedBefore}
      order by received_at limit ${limit})`,
  )
