import { z } from 'zod'
import { type Db, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { groupKinds } from '../rules/booking.ts'
import type { BookingStart } from '../rules/booking-messages.ts'

const startRow = z
  .object({
    booking_id: z.uuid(),
    account_id: z.uuid(),
    venue_id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    slot_time: z.string(),
    timezone: z.string(),
    starts_at: z.date(),
    party_size: z.int(),
    operation: z.string(),
    group_id: z.uuid().nullable(),
    group_kind: z.enum(groupKinds).nullable(),
    hold_until: z.date().nullable(),
  })
  .transform(
    (row): BookingStart => ({
      bookingId: row.booking_id,
      accountId: row.account_id,
      venueId: row.venue_id,
      venueSlug: row.slug,
      venueName: row.name,
      slotTime: row.slot_time,
      timezone: row.timezone,
      startsAt: row.starts_at.toISOString(),
      partySize: row.party_size,
      ...(row.operation === 'hold' && { purpose: 'hold' as const }),
      ...(row.group_id !== null &&
        row.group_kind !== null && {
          group: {
            id: row.group_id,
            kind: row.group_kind,
            holdUntil: row.hold_until?.toISOString() ?? null,
          },
        }),
    }),
  )

// As the booking is now: it may have been amended since it was asked for.
const columns = `r.booking_id, r.account_id, r.venue_id, v.slug, v.name, a.timezone, r.operation,
  coalesce(booked.slot_time, r.slot_time) as slot_time,
  coalesce(booked.starts_at, r.slot_time at time zone a.timezone) as starts_at,
  coalesce(booked.party_size, r.party_size) as party_size,
  g.id as group_id, g.kind as group_kind, g.hold_until`

const joins = `join venue v on v.id = r.venue_id join area a on a.slug = v.area_slug
  left join booking booked on booked.id = r.booking_id
  left join group_member m on m.booking_id = r.booking_id
  left join booking_group g on g.id = m.group_id`

/**
 * Requests without an answer, live bookings whose next action, each due before `dueBefore`, did not happen, and bookings whose venue
 * is told of a change since before then: their workflow was never started, was terminated or is late. A page of at most `limit`, in the order of ids, after `after`.
 */
export async function selectLostBookings(
  db: Db,
  dueBefore: Date,
  page: { after: string | null; limit: number },
): Promise<BookingStart[]> {
  return queryRows(
    db,
    startRow,
    `with lost as (
       select r.booking_id from request r
       where r.answer is null and r.created_at < $1
         and not exists (select from booking b where b.id = r.booking_id)
       union all
       select id from booking where next_action_at < $1
       union
       select id from booking where change_phase is not null and updated_at < $1
     )
     select ${columns} from lost join request r using (booking_id) ${joins}
     where $3::uuid is null or r.booking_id > $3
     order by r.booking_id
     limit $2`,
    [dueBefore, page.limit, page.after],
  )
}

/** What the workflow of this booking is started with, if this venue was ever to be asked for it. */
export const selectOptionalBookingStart = (
  db: Db,
  { bookingId, venueId }: { bookingId: string; venueId: string },
): Promise<BookingStart | undefined> =>
  queryOptionalRow(
    db,
    startRow,
    `select ${columns} from request r ${joins} join booking b on b.id = r.booking_id
     where r.booking_id = $1 and r.venue_id = $2 and b.confirm_mode = 'http'`,
    [bookingId, venueId],
  )

/** The same for any booking at this venue, whoever confirms there. */
export const selectOptionalBookingStartAt = (
  db: Db,
  { bookingId, venueId }: { bookingId: string; venueId: string },
): Promise<BookingStart | undefined> =>
  queryOptionalRow(
    db,
    startRow,
    `select ${columns} from request r ${joins} join booking b on b.id = r.booking_id
     where r.booking_id = $1 and r.venue_id = $2`,
    [bookingId, venueId],
  )

/** Bookings of which their venue has said something before `receivedBefore` that nobody has weighed, up to `limit`. */
export const selectUnheardBookings = (
  db: Db,
  receivedBefore: Date,
  limit: number,
): Promise<BookingStart[]> =>
  queryRows(
    db,
    startRow,
    `select ${columns} from request r ${joins}
     where r.booking_id in (
       select booking_id from venue_statement where effect is null and received_at < $1
       order by received_at limit $2)`,
    [receivedBefore, limit],
  )

/** Bookings of which an agent has wanted something before `givenBefore` that nobody has acted upon, up to `limit`. */
export const selectUncommandedBookings = (
  db: Db,
  givenBefore: Date,
  limit: number,
): Promise<BookingStart[]> =>
  queryRows(
    db,
    startRow,
    `select ${columns} from request r ${joins}
     where r.booking_id in (
       select booking_id from command
       where answer is null and begun_at is null and created_at < $1
       order by created_at limit $2)`,
    [givenBefore, limit],
  )

/** What the workflow of a booking of this account is started with. */
export const selectOptionalBookingStartOf = (
  db: Db,
  accountId: string,
  bookingId: string,
): Promise<BookingStart | undefined> =>
  queryOptionalRow(
    db,
    startRow,
    `select ${columns} from request r ${joins} where r.booking_id = $1 and r.account_id = $2`,
    [bookingId, accountId],
  )

/** The holds at a venue whose time is over although nobody has ended them. */
export const selectOverdueHoldsOf = (db: Db, venueId: string, at: Date): Promise<BookingStart[]> =>
  queryRows(
    db,
    startRow,
    `select ${columns} from request r ${joins}
     where r.booking_id in (
       select id from booking
       where venue_id = $1 and status = 'held' and next_action_at <= $2)`,
    [venueId, at],
  )
