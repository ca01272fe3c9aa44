import sql from 'sql-template-tag'
import { z } from 'zod'
import { selectOptionalVenue } from '../../availability/store/venues.ts'
import { bookingStatuses } from '../../base/booking-status.ts'
import { languages } from '../../base/languages.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { aheadMs, aheadOf } from '../../platform/database/account-time.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { whyNot } from '../rules/guest-summary.ts'

const guestRow = z.object({
  account_id: z.uuid(),
  account_name: z.string(),
  account_mode: z.enum(['live', 'test']),
  account_tier: z.enum(['free', 'pro']),
  /** whether the account is suspended or deleted */
  is_closed: z.boolean(),
  /** how many milliseconds the account's test clock is ahead of real time */
  clock_ahead_ms: aheadMs,
  name: z.string().nullable(),
  email: z.string().nullable(),
  notify: z.boolean(),
  notes: z.string().nullable(),
  /** as the agent said */
  language: z.enum(languages).nullable(),
  /** whether the guest's details and the digest of the request were erased */
  is_erased: z.boolean(),
})

/** A booking's guest, with nulls if none was named, and its account. */
export const selectOptionalGuest = (db: Db, bookingId: string) =>
  query.optionalRow(db, guestRow)`
    select b.account_id, a.name as account_name, a.mode as account_mode,
      a.tier as account_tier,
      a.suspended_at is not null or a.deleted_at is not null as is_closed,
      ${aheadOf(sql`b.account_id`)} as clock_ahead_ms, g.name, g.email,
      coalesce(g.notify, false) as notify, g.language, g.notes,
      r.body_hash = '' as is_erased
    from booking b join account a on a.id = b.account_id join request r on r.booking_id = b.id
    left join booking_guest g on g.booking_id = b.id
    where b.id = ${bookingId}`

const partRow = z.object({
  id: z.uuid(),
  venue_name: z.string(),
  timezone: z.string(),
  starts_at: z.date(),
  status: z.enum(bookingStatuses),
})

/** The other bookings of the same itinerary, in order of time. */
export const selectOtherParts = (db: Db, bookingId: string) =>
  query.rows(db, partRow)`
    select b.id, v.name as venue_name, v.timezone, b.starts_at, b.status
    from group_member own join booking_group g on g.id = own.group_id and g.kind = 'itinerary'
    join group_member m on m.group_id = g.id and m.booking_id <> own.booking_id
    join booking b on b.id = m.booking_id join request r on r.booking_id = b.id
    join venue v on v.id = r.venue_id
    where own.booking_id = ${bookingId} order by b.starts_at`

const whyRow = z.object({ why: z.enum(whyNot).nullable().catch(null) })

/** Why a request came to nothing, if that is known. */
const selectWhyNot = (db: Db, bookingId: string) =>
  query.row(db, whyRow)`
    select case b.reason_code when 'venue_no_answer' then 'silent' when 'offer_refused' then 'offer'
      when 'offer_expired' then 'offer' when 'venue_declined' then (
        select reason from venue_response r where r.booking_id = b.id and r.status = 'declined'
          and r.effect = 'decline' order by r.answered_at desc limit 1) end as why
    from booking b where b.id = ${bookingId}`

/** A booking with its venue, as its guest sees it. Throws if there is no such booking. */
export async function selectGuestBooking(db: Db, bookingId: string) {
  const booking = await selectBooking(db, bookingId)
  const place = await selectOptionalVenue(db, booking.venue.id, null)
  if (!place) throw new Error(`booking ${bookingId} has no venue`)
  const { why } = await selectWhyNot(db, bookingId)
  return { booking, place, isDemo: place.is_demo, why }
}

/** Whether the last change was wanted by the guest, and the venue did not agree to it. */
export const selectIsChangeRefused = (db: Db, bookingId: string): Promise<boolean> =>
  query.affectsRow(db)`
    select from (select door, begun_at, answer from command
      where booking_id = ${bookingId} and kind = 'amend'
      order by created_at desc, id desc limit 1) c
    where c.door = 'guest' and c.begun_at is not null and c.answer ? 'refusal'`

/** Sets whether the guest wants emails about a booking. */
export const updateNotify = (db: Db, bookingId: string, notify: boolean) =>
  query.execute(db)`
    update booking_guest set notify = ${notify}
    where booking_id = ${bookingId} and email is not null`
