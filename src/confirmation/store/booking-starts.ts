import type { BookingStart } from '../../bookings/rules/booking-messages.ts'
import { selectBookingStarts } from '../../bookings/store/booking-starts.ts'
import type { Db } from '../../platform/database/sql.ts'

/** A booking at this venue, whoever confirms there. */
export async function selectOptionalStartAt(
  db: Db,
  venueId: string,
  bookingId: string,
): Promise<BookingStart | undefined> {
  const where = 'b.id = $1 and b.venue_id = $2'
  return (await selectBookingStarts(db, where, [bookingId, venueId]))[0]
}

/** A booking that the system of this venue was ever to be asked about. */
export async function selectOptionalAskedStart(
  db: Db,
  venueId: string,
  bookingId: string,
): Promise<BookingStart | undefined> {
  const where = `b.id = $1 and b.venue_id = $2 and b.confirm_mode = 'http'`
  return (await selectBookingStarts(db, where, [bookingId, venueId]))[0]
}

/** Bookings with a response from before `receivedBefore` that nobody has applied, up to `limit`. */
export const selectUnappliedStarts = (
  db: Db,
  receivedBefore: Date,
  limit: number,
): Promise<BookingStart[]> =>
  selectBookingStarts(
    db,
    `r.booking_id in (
       select booking_id from venue_statement where effect is null and received_at < $1
       order by received_at limit $2)`,
    [receivedBefore, limit],
  )
