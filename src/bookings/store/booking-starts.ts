import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Wish } from '../../availability/rules/service-terms.ts'
import { wishColumn } from '../../availability/store/wish-columns.ts'
import { toInstantPastGap } from '../../base/local-time.ts'
import { aheadMs, aheadOf, isInRealTime, onClock } from '../../platform/database/account-time.ts'
import { isoTime, timeInPage, uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'
import { groupKinds } from '../rules/booking.ts'
import type { BookingStart } from '../rules/booking-messages.ts'
import { jsonTime } from './booking-view.ts'

const startRow = z
  .object({
    bookingId: z.uuid(),
    accountId: z.uuid(),
    sandboxOf: z.uuid().nullable(),
    venueId: z.uuid(),
    venueSlug: z.string(),
    venueName: z.string(),
    slotTime: z.string(),
    timezone: z.string(),
    startsAt: isoTime.nullable(),
    partySize: z.int(),
    wish: z.custom<Wish>(),
    ahead: aheadMs,
    purpose: z.literal('hold').nullable(),
    group: z
      .object({ id: z.uuid(), kind: z.enum(groupKinds), holdUntil: jsonTime.nullable() })
      .nullable(),
    payment: z.object({ feeMinor: z.int().optional() }).nullable(),
  })
  .transform(({ purpose, group, payment, ahead, sandboxOf, startsAt, ...row }): BookingStart => {
    const { wish, ...start } = row
    return {
      ...start,
      ...wish,
      startsAt: startsAt ?? toInstantPastGap(start.timezone, start.slotTime).toISOString(),
      ...(sandboxOf && { liveAccountId: sandboxOf }),
      ...onClock(ahead),
      ...(purpose && { purpose }),
      ...(group && { group }),
      ...(payment && { payment }),
    }
  })

// Names match the workflow's input. A booking may have been amended since it was requested.
const select = sql`select r.booking_id as "bookingId", r.account_id as "accountId",
    r.venue_id as "venueId", v.slug as "venueSlug", v.name as "venueName", a.timezone,
    coalesce(b.slot_time, r.slot_time) as "slotTime",
    b.starts_at as "startsAt", coalesce(b.party_size, r.party_size) as "partySize",
    ${aheadOf(sql`r.account_id`)} as ahead, o.live_account_id as "sandboxOf",
    ${wishColumn(sql`r`)} as wish,
    case when r.operation = 'hold' then 'hold' end as purpose,
    case when g.id is not null then
      json_build_object('id', g.id, 'kind', g.kind, 'holdUntil', g.hold_until) end as group,
    case when x.id is not null then json_build_object('feeMinor', x.price_minor)
      when r.paid_by = 'card' and not v.is_demo
        and (r.operation = 'confirm' or g.kind = 'itinerary') then json_build_object()
      end as payment
  from request r
  join account o on o.id = r.account_id
  join venue v on v.id = r.venue_id
  join area a on a.slug = v.area_slug
  left join booking b on b.id = r.booking_id
  left join group_member m on m.booking_id = r.booking_id
  left join booking_group g on g.id = m.group_id
  left join x402_payment x on x.booking_id = r.booking_id`

/**
 * Inputs for the workflows of bookings. `where` selects requests `r` with their bookings `b`, and
 * may end with an order and a limit.
 */
export const selectBookingStarts = (db: Db, where: Sql) =>
  query.rows(db, startRow)`${select} where ${where}`

/** The input for this booking's workflow. */
export async function selectBookingStart(db: Db, bookingId: string): Promise<BookingStart> {
  const [start] = await selectBookingStarts(db, sql`r.booking_id = ${bookingId}`)
  if (!start) throw new Error(`there is no request for booking ${bookingId}`)
  return start
}

/** The input for the workflow of one of this account's bookings. */
export async function selectOptionalBookingStartOf(db: Db, accountId: string, bookingId: string) {
  const where = sql`r.booking_id = ${bookingId} and r.account_id = ${accountId}`
  return (await selectBookingStarts(db, where))[0]
}

/**
 * Ids of bookings whose workflow never started, was terminated or is late: bookings with something
 * due before `dueBefore`, and those whose unanswered request, unstarted command, open change or
 * unsent notice is older than that. Excludes bookings on a test clock. Returns at most `limit`
 * after the id `after`, in order, and only ids, so that one unreadable row does not hide the others
 * on its page.
 */
export const selectLostBookings = (db: Db, dueBefore: Date, { after, limit }: PageOfIds) =>
  query.values(db, uuid)`
    select distinct id from (
      select q.booking_id as id, q.account_id from request q
      where q.answer is null and q.created_at < ${dueBefore}
        and not exists (select from booking where id = q.booking_id)
      union all
      select id, account_id from booking where next_action_at < ${dueBefore}
      union all
      select b.id, b.account_id from command c join booking b on b.id = c.booking_id
      where c.answer is null and c.begun_at is null and c.created_at < ${dueBefore}
      union all
      select id, account_id from booking
      where change_phase is not null and updated_at < ${dueBefore}
      union all
      select id, account_id from booking
      where notice_due is not null and updated_at < ${dueBefore}
      union all
      select id, account_id from booking
      where guest_notice is not null and updated_at < ${dueBefore}
    ) as lost where (${after}::uuid is null or id > ${after})
      and ${isInRealTime(sql`lost.account_id`)}
    order by id limit ${limit}`

/** A booking with work waiting, and since when. */
export type LateBooking = { id: string; since: Date }

const lateRow = z.object({ id: z.uuid(), since: timeInPage })

/** The bookings in `late`, whose rows have a booking's `id` and `since`. Lists each only once. */
export const selectLateBookings = (
  db: Db,
  late: Sql,
  { after, limit }: PageOfIds,
): Promise<LateBooking[]> =>
  query.rows(db, lateRow)`
    select id, min(since) as since from (${late}) as late
    where ${after}::uuid is null or id > ${after} group by id order by id limit ${limit}`

/** Bookings with a command given before `givenBefore` that has not run. */
export const selectUncommandedBookings = (db: Db, givenBefore: Date, page: PageOfIds) =>
  selectLateBookings(
    db,
    sql`select booking_id as id, created_at as since from command
      where answer is null and begun_at is null and created_at < ${givenBefore}`,
    page,
  )

/** The holds at a venue that should already have ended. */
export const selectOverdueHoldsOf = (db: Db, venueId: string, at: Date) =>
  selectBookingStarts(
    db,
    sql`r.booking_id in (
      select id from booking
      where venue_id = ${venueId} and status = 'held' and next_action_at <= ${at})`,
  )
