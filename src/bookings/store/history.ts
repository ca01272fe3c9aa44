import sql from 'sql-template-tag'
import { isInRealTime } from '../../platform/database/account-time.ts'
import { idRow } from '../../platform/database/columns.ts'
import { type DueRows, rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'

/** Accounts after the id `after`, without a test clock; includes deleted ones. */
export const selectAccounts = (db: Db, { after, limit }: PageOfIds) =>
  query.rows(db, idRow)`
    select id from account a
    where (${after}::uuid is null or id > ${after}) and ${isInRealTime(sql`a.id`)}
    order by id limit ${limit}`

/** Services after the id `after`. */
export const selectServiceIds = (db: Db, { after, limit }: PageOfIds) =>
  query.rows(db, idRow)`
    select id from service
    where (${after}::uuid is null or id > ${after})
    order by id limit ${limit}`

/** Erases requests without a booking, with their dependent rows. A group keeps its requests. */
export const refusedRequests = (accountId: string, before: Date): DueRows => ({
  from: 'request',
  id: 'booking_id',
  where: sql`account_id = ${accountId} and answer ? 'refusal' and created_at < ${before}
    and not exists (select from booking b where b.id = request.booking_id)
    and not exists (select from group_member m where m.booking_id = request.booking_id)`,
  order: 'booking_id',
  change: (ids) => sql`
    with refused as materialized (${ids}), commands as (
      delete from command where booking_id in (select * from refused)
    ), transitions as (
      delete from transition where booking_id in (select * from refused)
    ), responses as (
      delete from venue_response where booking_id in (select * from refused)
    ), guests as (
      delete from booking_guest where booking_id in (select * from refused)
    )
    delete from request where booking_id in (select * from refused)`,
})

/**
 * Erases the history of bookings that ended before this time: commands with their answers, step
 * results, and the places taken. Skips bookings that still have events. Keeps the bookings with
 * timeline, fees and request, and the commands of a group's bookings.
 */
export const bookingsOver = (accountId: string, before: Date, at: Date): DueRows => ({
  from: 'booking',
  id: 'id',
  where: sql`account_id = ${accountId} and history_erased_at is null and next_action_at is null
    and ends_at < ${before}
    and not exists (select from event e where e.booking_id = booking.id)`,
  order: 'id',
  change: (ids) => sql`
    with over as materialized (${ids}), commands as (
      delete from command c where booking_id in (select * from over) and answer is not null
        and not exists (select from group_member m where m.booking_id = c.booking_id)
    ), transitions as (
      delete from transition where booking_id in (select * from over)
    ), takes as (
      delete from slot_count where booking_id in (select * from over)
    )
    update booking set history_erased_at = ${at} where id in (select * from over)`,
})

/** Erases the counters of a service's past slots without bookings. */
export const oldCounters = (serviceId: string, before: Date) => {
  const isDue = sql`service_id = ${serviceId} and not exists (select from slot_count t
      where t.service_id = slot_counter.service_id and t.starts_at = slot_counter.starts_at)`
  return rowsBefore('slot_counter', 'starts_at', before, 'service_id, starts_at', isDue)
}
