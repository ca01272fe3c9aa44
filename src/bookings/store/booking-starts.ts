import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Db, queryRows } from '../../platform/database/sql.ts'
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

// As the booking is now; it may have been amended since its request.
const select = sql`select r.booking_id, r.account_id, r.venue_id, v.slug, v.name, a.timezone,
    r.operation, coalesce(b.slot_time, r.slot_time) as slot_time,
    coalesce(b.starts_at, r.slot_time at time zone a.timezone) as starts_at,
    coalesce(b.party_size, r.party_size) as party_size,
    g.id as group_id, g.kind as group_kind, g.hold_until
  from request r
  join venue v on v.id = r.venue_id
  join area a on a.slug = v.area_slug
  left join booking b on b.id = r.booking_id
  left join group_member m on m.booking_id = r.booking_id
  left join booking_group g on g.id = m.group_id`

/**
 * What the workflows of bookings start with: those that `where` selects of requests `r` with their
 * bookings `b`. It may end with an order and a limit.
 */
export const selectBookingStarts = (db: Db, where: Sql) =>
  queryRows(db, startRow)`${select} where ${where}`

/** What the workflow of a booking of this account starts with. */
export async function selectOptionalBookingStartOf(
  db: Db,
  accountId: string,
  bookingId: string,
): Promise<BookingStart | undefined> {
  const where = sql`r.booking_id = ${bookingId} and r.account_id = ${accountId}`
  return (await selectBookingStarts(db, where))[0]
}

/**
 * Bookings whose workflow was never started, was terminated or is late: requests without an answer,
 * bookings with something due before `dueBefore`, and those with a change open since then. At most
 * `limit` after the id `after`, in the order of ids.
 */
export const selectLostBookings = (
  db: Db,
  dueBefore: Date,
  { after, limit }: { after: string | null; limit: number },
): Promise<BookingStart[]> =>
  selectBookingStarts(
    db,
    sql`r.booking_id in (
      select q.booking_id from request q
      where q.answer is null and q.created_at < ${dueBefore}
        and not exists (select from booking where id = q.booking_id)
      union all
      select id from booking where next_action_at < ${dueBefore}
      union all
      select id from booking where change_phase is not null and updated_at < ${dueBefore}
    ) and (${after}::uuid is null or r.booking_id > ${after})
    order by r.booking_id limit ${limit}`,
  )

/** Bookings with a command from before `givenBefore` that has not run, up to `limit`. */
export const selectUncommandedBookings = (
  db: Db,
  givenBefore: Date,
  limit: number,
): Promise<BookingStart[]> =>
  selectBookingStarts(
    db,
    sql`r.booking_id in (
      select booking_id from command
      where answer is null and begun_at is null and created_at < ${givenBefore}
      order by created_at limit ${limit})`,
  )

/** The holds at a venue that should have ended by now. */
export const selectOverdueHoldsOf = (db: Db, venueId: string, at: Date): Promise<BookingStart[]> =>
  selectBookingStarts(
    db,
    sql`r.booking_id in (
      select id from booking
      where venue_id = ${venueId} and status = 'held' and next_action_at <= ${at})`,
  )
