import sql, { empty } from 'sql-template-tag'
import { selectBookingStarts, selectLateBookings } from '../../bookings/store/booking-starts.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'

/** The input of a booking at this venue; with `mode`, only if its own system confirms it. */
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

/** Bookings with an unapplied response received before `receivedBefore`. */
export const selectUnappliedBookings = (db: Db, receivedBefore: Date, page: PageOfIds) =>
  selectLateBookings(
    db,
    sql`select booking_id as id, received_at as since from venue_response
      where effect is null and received_at < ${receivedBefore}`,
    page,
  )
