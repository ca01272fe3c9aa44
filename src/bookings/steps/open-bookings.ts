import sql from 'sql-template-tag'
import type { OpenWork } from '../../contract/open-work.ts'
import type { BookingEngine } from '../engine.ts'
import { selectBookingStart } from '../store/booking-starts.ts'

/** Bookings that are waiting for something, and undecided requests. */
export const openBookings: OpenWork<BookingEngine> = {
  name: 'bookings',
  workflows: { booking: 'booking/' },
  open: sql`
    select id from booking where next_action_at is not null
    union all select booking_id from request r where answer is null
      and not exists (select from booking b where b.id = r.booking_id)`,
  resume: async ({ db, engine }, id) => engine.resume(await selectBookingStart(db, id)),
}
