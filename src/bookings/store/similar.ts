import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { bookingStatuses } from '../../base/booking-status.ts'
import { venueRef } from '../../contract/public.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { BookingStart } from '../rules/booking-messages.ts'

/** A booking to be made, with what is not stored with its request of who comes. */
export type ComparedBooking = Pick<
  BookingStart,
  'bookingId' | 'accountId' | 'venueId' | 'partySize' | 'group'
> & {
  startsAt: Date
  endsAt: Date
  guest?: Partial<Record<'guest_ref' | 'name' | 'phone' | 'email', string | undefined>>
}

/** Only holds that end later count; for `infinity`, none does. */
export type HeldAfter = Date | 'infinity'

/** The indexes `booking_guest_email` and `booking_guest_phone` have these expressions. */
const emailOf = (email: Sql) => sql`lower(${email})`
const phoneOf = (phone: Sql) => sql`right(regexp_replace(${phone}, '[^0-9]', '', 'g'), 8)`

/** What is compared, as one row; none if the request says `also`. */
const comparedRow = ({ bookingId, guest = {}, ...one }: ComparedBooking) => sql`
  select ${bookingId}::uuid as id, ${one.accountId}::uuid as account_id,
    ${one.group?.id}::uuid as group_id, ${one.venueId}::uuid as venue_id,
    ${one.startsAt}::timestamptz as starts_at, ${one.endsAt}::timestamptz as ends_at,
    ${one.partySize}::integer as party_size,
    coalesce(${guest.guest_ref}::text, r.guest_ref) as guest_ref,
    plain_words(coalesce(${guest.name}::text, g.name)) as name,
    ${emailOf(sql`coalesce(${guest.email}::text, g.email)`)} as email,
    nullif(${phoneOf(sql`coalesce(${guest.phone}::text, g.phone)`)}, '') as phone
  from (select) as always left join request r on r.booking_id = ${bookingId}
    left join booking_guest g on g.booking_id = ${bookingId}
  where r.also is not true`

/**
 * Locks until the transaction ends what two similar bookings have in common, so that one of them
 * sees the other: the slot and party, or the guest. Takes nothing else from an account without
 * limits, whose other bookings go on at the same time.
 */
export const lockSimilar = (tx: Db, one: ComparedBooking) =>
  query.execute(tx)`
    select pg_advisory_xact_lock(hashtextextended('similar ' || key, 0)) from (
      select concat_ws(' ', me.account_id, key) as key from (${comparedRow(one)}) as me,
        unnest(array[concat_ws(' ', venue_id, starts_at, party_size), 'ref ' || guest_ref,
          'email ' || email, 'phone ' || phone]) as key
      where key is not null order by key) as keys`

const similarRow = z.object({
  id: z.uuid(),
  status: z.enum(bookingStatuses),
  venue: venueRef,
  slot_time: z.string(),
  timezone: z.string(),
  party_size: z.int(),
})
export type SimilarBooking = z.infer<typeof similarRow>

/**
 * A live booking of the account that this one resembles: the same slot and party, or the same guest
 * at an overlapping time. Another name or another `guest_ref` is another guest, another spelling of
 * a name is not. Reads only the bookings of that slot and of that guest: `offset 0` keeps the
 * planner from reading the account's.
 */
export const selectOptionalSimilar = (db: Db, one: ComparedBooking, heldAfter: HeldAfter) =>
  query.optionalRow(db, similarRow)`
    select id, status, slot_time, timezone, party_size,
      json_build_object('id', venue_id, 'slug', venue_slug, 'name', venue_name) as venue
    from booking_view where id = (
      with me as materialized (${comparedRow(one)}), alike as (
        select b.id from me join booking b
          on (b.venue_id, b.starts_at, b.party_size) = (me.venue_id, me.starts_at, me.party_size)
        union select r.booking_id from me join request r
          on (r.account_id, r.guest_ref) = (me.account_id, me.guest_ref)
            and r.guest_ref is not null
        union select g.booking_id from me join booking_guest g
          on ${emailOf(sql`g.email`)} = me.email and g.email is not null
            and plain_words(g.name) = me.name
        union select g.booking_id from me join booking_guest g
          on ${phoneOf(sql`g.phone`)} = me.phone and g.phone is not null
            and plain_words(g.name) = me.name
      )
      select b.id from me cross join alike
        cross join lateral (select * from booking where id = alike.id offset 0) b
        join request r on r.booking_id = b.id
        left join booking_guest g on g.booking_id = b.id
      where b.account_id = me.account_id and b.id <> me.id
        and b.status in ('held', 'pending', 'offered', 'confirmed')
        and (b.status <> 'held' or b.hold_until is null or b.hold_until > ${heldAfter}::timestamptz)
        and (me.group_id is null or b.group_id is distinct from me.group_id)
        and b.starts_at < me.ends_at and b.ends_at > me.starts_at
        and (r.guest_ref <> me.guest_ref) is not true
        and (plain_words(g.name) <> me.name) is not true
      order by b.id desc limit 1)`
