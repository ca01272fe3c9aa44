import sql from 'sql-template-tag'
import { z } from 'zod'
import { type BookingStatus, bookingStatuses } from '../../base/booking-status.ts'
import { venueRef } from '../../contract/public.ts'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** Statuses of bookings that may still take place. */
const live: BookingStatus[] = ['held', 'pending', 'offered', 'confirmed']
const occupying: BookingStatus[] = [...live, 'completed', 'no_show']

const countsRow = z.object({ today: z.int(), next_7_days: z.int() })

/** The earliest and latest current dates at any venue. */
const dates = (at: Date) => sql`
  (select min((${at}::timestamptz at time zone timezone)::date) as first,
    max((${at}::timestamptz at time zone timezone)::date) as last from area)`

/** An account’s bookings today and in the next seven days, by the date at each venue. */
export const countBookingsAhead = (db: Db, accountId: string, at: Date, most: number) =>
  query.row(db, countsRow)`
    with dates as materialized ${dates(at)}, slot as not materialized (
      select b.slot_time::date - (${at}::timestamptz at time zone a.timezone)::date as days,
        b.slot_time
      from booking b join venue v on v.id = b.venue_id join area a on a.slug = v.area_slug
      where b.account_id = ${accountId} and b.status = any(${occupying}::text[]))
    select
      (select count(*) from (
        select from slot s, dates d
        where s.slot_time >= d.first and s.slot_time < d.last + 1 and s.days = 0
        limit ${most}) as found) as today,
      (select count(*) from (
        select from slot s, dates d
        where s.slot_time >= d.first + 1 and s.slot_time < d.last + 8 and s.days between 1 and 7
        limit ${most}) as found) as next_7_days`

const openRow = z.object({ id: z.uuid(), account_id: z.uuid() })

/** The bookings that may still take place at a venue, or at any live venue. */
export const selectBookingsAt = (db: Db, venueId: string | null, at: Date) =>
  query.rows(db, openRow)`
    select b.id, b.account_id from booking b join venue v on v.id = b.venue_id
    where b.status = any(${live}::text[]) and b.ends_at > ${at}
      and (v.id = ${venueId}::uuid or (${venueId}::uuid is null and not v.is_test))
    order by b.id`

const occupyingRow = openRow.extend({ status: z.enum(bookingStatuses), party_size: z.int() })
/** A booking that blocks a change to its venue. */
export type Occupying = z.infer<typeof occupyingRow>

type Inventory = { serviceId?: string; resourceId?: string | null; from: Date; until: Date }

/** The bookings that have places in a pooled slot from `from`, or a resource until `until`. */
export const selectBookingsIn = (
  db: Db,
  { serviceId, resourceId, from, until }: Inventory,
): Promise<Occupying[]> =>
  query.rows(db, occupyingRow)`
    select id, account_id, status, party_size from booking where id in (
      select booking_id from slot_count where service_id = ${serviceId ?? null}::uuid
        and starts_at = ${from} and active and not of_change
      union all select booking_id from allocation where resource_id = ${resourceId ?? null}::uuid
        and active and during && tstzrange(${from}, ${until}))
    order by id`

/** The bookings elsewhere whose venue is being asked to move them into a pooled slot. */
export const selectBookingsMovingInto = (
  db: Db,
  { serviceId, from }: { serviceId: string; from: Date },
): Promise<Occupying[]> =>
  query.rows(db, occupyingRow)`
    select b.id, b.account_id, b.status, c.party_size
    from booking_change c join booking b on b.id = c.booking_id
    where c.service_id = ${serviceId} and c.starts_at = ${from} and c.places > 0
      and (b.service_id, b.starts_at) <> (c.service_id, c.starts_at)
    order by b.id`

const aheadRow = z.object({
  id: z.uuid(),
  status: z.enum(bookingStatuses),
  venue: venueRef,
  slot_time: z.string(),
  timezone: z.string(),
  starts_at: isoTime,
  party_size: z.int(),
})

/** Enough for the bookings that begin within the few hours by which venues' clocks differ. */
const CANDIDATES = 500

/** The next bookings of an account, soonest first. */
export const selectBookingsAhead = (db: Db, accountId: string, at: Date, limit: number) =>
  query.rows(db, aheadRow)`
    with next as (
      select b.id, b.venue_id, b.status, b.slot_time, b.starts_at, b.party_size from booking b
      where b.account_id = ${accountId} and b.status = any(${live}::text[])
        and b.slot_time >= (select min(${at}::timestamptz at time zone timezone) from area)
      order by b.slot_time limit ${CANDIDATES})
    select n.id, n.status, n.slot_time, n.starts_at, n.party_size, a.timezone,
      json_build_object('id', v.id, 'slug', v.slug, 'name', v.name) as venue
    from next n join venue v on v.id = n.venue_id join area a on a.slug = v.area_slug
    where n.starts_at >= ${at} order by n.starts_at, n.id limit ${limit}`
