import sql from 'sql-template-tag'
import type { Shard } from '../../contract/rules/shards.ts'
import { isInRealTime } from '../../platform/database/account-time.ts'
import { idRow } from '../../platform/database/columns.ts'
import type { Limit } from '../../platform/database/erase-through.ts'
import { inShard } from '../../platform/database/in-shard.ts'
import { type Db, execute, queryRows } from '../../platform/database/sql.ts'
import type { PageOfIds } from './booking-starts.ts'

/** Accounts of a shard after `after` without a test clock, deleted ones included. */
export const selectAccounts = (db: Db, shard: Shard, { after, limit }: PageOfIds) =>
  queryRows(db, idRow)`
    select id from account a
    where (${after}::uuid is null or id > ${after}) and ${inShard(sql`id`, shard)}
      and ${isInRealTime(sql`a.id`)}
    order by id limit ${limit}`

/** Offerings of a shard after `after`. */
export const selectOfferingIds = (db: Db, shard: Shard, { after, limit }: PageOfIds) =>
  queryRows(db, idRow)`
    select id from offering
    where (${after}::uuid is null or id > ${after}) and ${inShard(sql`id`, shard)}
    order by id limit ${limit}`

/**
 * Erases up to `limit` requests that led to nothing, and what belongs to them. Those of a group
 * stay with it. Returns how many.
 */
export const deleteRefusedRequests = (db: Db, accountId: string, before: Date, limit: Limit) =>
  execute(db)`
    with refused as materialized (
      select booking_id from request r
      where account_id = ${accountId} and answer ? 'refusal' and created_at < ${before}
        and not exists (select from booking b where b.id = r.booking_id)
        and not exists (select from group_member m where m.booking_id = r.booking_id)
      order by booking_id limit ${limit} for update skip locked
    ), commands as (
      delete from command where booking_id in (select * from refused)
    ), transitions as (
      delete from transition where booking_id in (select * from refused)
    ), responses as (
      delete from venue_statement where booking_id in (select * from refused)
    ), guests as (
      delete from booking_guest where booking_id in (select * from refused)
    )
    delete from request where booking_id in (select * from refused)`

/**
 * Erases how up to `limit` bookings that were over before this time came about: commands with their
 * answers, the results of steps, and the places taken. Bookings wait until their events are erased.
 * They stay, with timeline, fees and request, and those of a group with what their group asked of
 * them. Returns how many.
 */
export const deleteBookingHistories = (
  db: Db,
  accountId: string,
  { before, at, limit }: { before: Date; at: Date; limit: Limit },
) =>
  execute(db)`
    with over as materialized (
      select id from booking b
      where account_id = ${accountId} and history_erased_at is null and next_action_at is null
        and ends_at < ${before}
        and not exists (select from event e where e.booking_id = b.id)
      order by id limit ${limit} for no key update skip locked
    ), commands as (
      delete from command c where booking_id in (select * from over) and answer is not null
        and not exists (select from group_member m where m.booking_id = c.booking_id)
    ), transitions as (
      delete from transition where booking_id in (select * from over)
    ), takes as (
      delete from slot_take where booking_id in (select * from over)
    )
    update booking set history_erased_at = ${at} where id in (select * from over)`

/** Erases up to `limit` counters of an offering's past slots that no booking refers to any more. */
export const deleteOldCounters = (db: Db, offeringId: string, before: Date, limit: Limit) =>
  execute(db)`
    delete from slot_counter where offering_id = ${offeringId} and starts_at in (
      select starts_at from slot_counter c
      where offering_id = ${offeringId} and starts_at < ${before}
        and not exists (
          select from slot_take t
          where t.offering_id = c.offering_id and t.starts_at = c.starts_at)
      order by starts_at limit ${limit} for update skip locked)`
