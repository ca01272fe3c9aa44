import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { BookingStatus } from '../../base/booking-status.ts'
import { type Db, queryRowsUnprepared } from '../../platform/database/sql.ts'
import { ownColumns, ownRow } from './booking-view.ts'

/** A filter on an account's bookings; null for all. `from` and `to` are local dates, inclusive. */
type BookingFilter = {
  status: BookingStatus | null
  venueId: string | null
  from: string | null
  to: string | null
}

type Page = { before: string | null; limit: number }

/** The account's bookings, newest first (UUIDv7); only those below the id `before`, if given. */
export const selectBookingsOf = (db: Db, accountId: string, filter: BookingFilter, page: Page) =>
  queryRowsUnprepared(db, ownRow)`
    select ${ownColumns} from booking_view
    where id = any(array(${idsOf(accountId, filter, page)})) order by id desc`

/**
 * A booking in the list is a row of `booking`, or a request without one. With a filter, each table
 * is read by its own index; without one, requests are already in order.
 */
function idsOf(accountId: string, { status, venueId, from, to }: BookingFilter, page: Page): Sql {
  // Leaves out unneeded conditions, so that each combination gets its own plan.
  const conditions = (id: Sql) => [
    sql`account_id = ${accountId}`,
    ...(page.before === null ? [] : [sql`${id} < ${page.before}::uuid`]),
    ...(venueId === null ? [] : [sql`venue_id = ${venueId}::uuid`]),
    ...(from === null ? [] : [sql`slot_time >= ${from}::date`]),
    ...(to === null ? [] : [sql`slot_time < ${to}::date + 1`]),
  ]
  // If all matches are old or at one venue, a scan from the newest would read everything.
  const fence = venueId === null && to === null ? empty : sql`offset 0`
  const newest = (id: Sql, table: Sql, more: readonly Sql[]) => sql`
    select id from (select ${id} as id from ${table}
      where ${join([...conditions(id), ...more], ' and ')} ${fence}) as found
    order by id desc limit ${page.limit}`

  if (status === null && venueId === null && from === null && to === null) {
    return newest(sql`booking_id`, sql`request`, [])
  }
  const booked = newest(sql`id`, sql`booking`, status === null ? [] : [sql`status = ${status}`])
  const open = unbooked(status)
  if (open === null) return booked
  const alone = sql`not exists (select from booking b where b.id = request.booking_id)`
  const rest = newest(sql`booking_id`, sql`request`, [open, alone])
  return sql`
    select id from ((${booked}) union all (${rest})) as either
    order by id desc limit ${page.limit}`
}

/** The condition for requests without a booking that count as this status; null if none do. */
function unbooked(status: BookingStatus | null): Sql | null {
  const ofIndex = sql`(answer is null or answer ? 'refusal')`
  if (status === null) return ofIndex
  if (status === 'pending') return sql`${ofIndex} and answer is null`
  return status === 'failed' ? sql`${ofIndex} and answer is not null` : null
}
