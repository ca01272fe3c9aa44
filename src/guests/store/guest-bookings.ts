import sql from 'sql-template-tag'
import { z } from 'zod'
import { selectOptionalVenue } from '../../availability/store/venues.ts'
import { languages } from '../../base/languages.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { aheadMs, aheadOf } from '../../platform/database/account-time.ts'
import { type Db, execute, queryOptionalRow } from '../../platform/database/sql.ts'

const guestRow = z.object({
  account_id: z.uuid(),
  account_name: z.string(),
  account_mode: z.enum(['live', 'test']),
  /** how many milliseconds the account's test clock is ahead of real time */
  clock_ahead_ms: aheadMs,
  name: z.string().nullable(),
  email: z.string().nullable(),
  notify: z.boolean(),
  language: z.enum(languages),
  /** whether the guest's details and the digest of the request were erased */
  is_erased: z.boolean(),
})

/** A booking's guest, with nulls if none was named, and its account. */
export const selectOptionalGuest = (db: Db, bookingId: string) =>
  queryOptionalRow(db, guestRow)`
    select b.account_id, a.name as account_name, a.mode as account_mode,
      ${aheadOf(sql`b.account_id`)} as clock_ahead_ms, g.name, g.email,
      coalesce(g.notify, false) as notify, coalesce(g.language, 'en') as language,
      r.body_hash = '' as is_erased
    from booking b join account a on a.id = b.account_id join request r on r.booking_id = b.id
    left join booking_guest g on g.booking_id = b.id
    where b.id = ${bookingId}`

/** A booking with its venue, as its guest sees it. Throws if there is no such booking. */
export async function selectGuestBooking(db: Db, bookingId: string) {
  const booking = await selectBooking(db, bookingId)
  const place = await selectOptionalVenue(db, booking.venue.id, null)
  if (!place) throw new Error(`booking ${bookingId} has no venue`)
  return { booking, place, isDemo: place.is_demo }
}

/** Sets whether the guest wants emails about a booking. */
export const updateNotify = (db: Db, bookingId: string, notify: boolean) =>
  execute(db)`
    update booking_guest set notify = ${notify}
    where booking_id = ${bookingId} and email is not null`
