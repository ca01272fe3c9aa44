import sql from 'sql-template-tag'
import type { BookingStart } from '../../bookings/rules/booking-messages.ts'
import { selectBookingStarts } from '../../bookings/store/booking-starts.ts'
import type { Db } from '../../platform/database/sql.ts'

/** A booking at this venue, whoever confirms there. */
export async function selectOptionalStartAt(
  db: Db,
  venueId: string,
  bookingId: string,
): Promise<BookingStart | undefined> {
  const where = sql`b.id = ${bookingId} and b.venue_id = ${venueId}`
  return (await selectBookingStarts(db, where))[0]
}

/** A booking that the system of this venue was ever to be asked about. */
export async function selectOptionalAskedStart(
  db: Db,
  venueId: string,
  bookingId: string,
): Promise<BookingStart | undefined> {
  const where = sql`
    b.id = ${bookingId} and b.venue_id = ${venueId} and b.confirm_mode = 'http'`
  return (await selectBookingStarts(db, where))[0]
}

/** Bookings with a response from before `receivedBefore` that nobody has applied, up to `limit`. */
export const selectUnappliedStarts = (
  db: Db,
  receivedBefore: Date,
  limit: number,
): Promise<BookingStart[]> =>
  selectBookingStarts(
    db,
    sql`r.booking_id in (
      select booking_id from venue_statement where effect is null and received_at < ${receivedBefore}
      order by received_at limit ${limit})`,
  )
