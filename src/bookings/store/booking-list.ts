import sql, { empty, join, type Sql } from 'sql-template-tag'
import { type BookingStatus, bookingStatuses } from '../../base/booking-status.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { ownColumns, ownRow } from './booking-view.ts'

/** A filter on an account's bookings; null for all. `from` and `to` are local dates, inclusive. */
type BookingFilter = {
  status: BookingStatus | null
  /** without a status: whether to include what was refused */
  withFailed: boolean
  guestRef: string | null
  /** the name of an agent or assistant */
  bookedBy: string | null
  venueId: string | null
  from: string | null
  to: string | null
}

type Page = { before: string | null; limit: number }

/** The account's bookings, newest first (UUIDv7); only those below the id `before`, if given. */
export const selectBookingsOf = (db: Db, accountId: string, filter: BookingFilter, page: Page) =>
  query.rowsUnprepared(db, ownRow)`
    select ${ownColumns} from booking_view
    where id = any(array(${idsOf(accountId, filter, page)})) order by id desc`

/**
 * A booking in the list is a row of `booking`, or a request without one. Each table is read by its
 * own index; without a filter, the newest of every status, because most requests may have failed.
 */
function idsOf(accountId: string, filter: BookingFilter, page: Page): Sql {
  const { status, withFailed, guestRef, bookedBy, venueId, from, to } = filter
  const requested = (id: Sql, column: Sql, value: string | null) =>
    value === null
      ? []
      : [
          sql`${id} in (select booking_id from request
          where account_id = ${accountId} and ${column} = ${value})`,
        ]
  // Leaves out unneeded conditions, so that each combination gets its own plan.
  const conditions = (id: Sql) => [
    sql`account_id = ${accountId}`,
    ...(page.before === null ? [] : [sql`${id} < ${page.before}::uuid`]),
    ...requested(id, sql`guest_ref`, guestRef),
    ...requested(id, sql`from_agent`, bookedBy),
    ...(venueId === null ? [] : [sql`venue_id = ${venueId}::uuid`]),
    ...(from === null ? [] : [sql`slot_time >= ${from}::date`]),
    ...(to === null ? [] : [sql`slot_time < ${to}::date + 1`]),
  ]
  // If all matches are old or at one venue, a scan from the newest would read everything.
  const isFenced = [venueId, to, guestRef, bookedBy].some((one) => one !== null)
  const isNarrow = isFenced || from !== null
  const fence = isFenced ? sql`offset 0` : empty
  const newest = (id: Sql, table: Sql, more: readonly Sql[]) => sql`
    select id from (select ${id} as id from ${table}
      where ${join([...conditions(id), ...more], ' and ')} ${fence}) as found
    order by id desc limit ${page.limit}`

  if (status === null && withFailed && !isNarrow) return newest(sql`booking_id`, sql`request`, [])
  const visible = withFailed ? bookingStatuses : bookingStatuses.filter((one) => one !== 'failed')
  const booked =
    status === null && !isNarrow
      ? sql`select id from unnest(${visible}::text[]) as one (status) cross join lateral (
          ${newest(sql`id`, sql`booking`, [sql`status = one.status`])}) as newest`
      : newest(sql`id`, sql`booking`, [sql`status = any(${status ? [status] : visible}::text[])`])
  const open = unbooked(status, withFailed)
  if (open === null) return booked
  const alone = sql`not exists (select from booking b where b.id = request.booking_id)`
  const rest = newest(sql`booking_id`, sql`request`, [open, alone])
  return sql`
    select id from ((${booked}) union all (${rest})) as either
    order by id desc limit ${page.limit}`
}

/**
 * The condition for requests without a booking that count as this status, as in the indexes
 * `request_undecided` and `request_unbooked`; null if none do.
 */
function unbooked(status: BookingStatus | null, withFailed: boolean): Sql | null {
  const ofIndex = sql`(answer is null or answer ? 'refusal')`
  if (status === null && withFailed) return ofIndex
  if (status === null || status === 'pending') return sql`answer is null`
  return status === 'failed' ? sql`${ofIndex} and answer is not null` : null
}
