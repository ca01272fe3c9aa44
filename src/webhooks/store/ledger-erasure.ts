import { type Db, execute } from '../../platform/database/sql.ts'

/**
 * Erases up to `limit` of an account's oldest events, up to the first that must stay: a younger
 * one, one of a booking that was not over before this time, or one with a delivery. So the numbers
 * that are left have no gaps. Returns how many.
 */
export const deleteOldestEvents = (db: Db, accountId: string, before: Date, limit: number) =>
  execute(db)`
    with oldest as (
      select number, created_at < ${before}
        and (booking_id is null or exists (
          select from booking b where b.id = e.booking_id
            and b.next_action_at is null and b.ends_at < ${before}))
        and not exists (
          select from delivery d where d.account_id = e.account_id and d.event_number = e.number)
        as is_over
      from event e where account_id = ${accountId} order by number limit ${limit}
    )
    delete from event where account_id = ${accountId} and number <= (
      select max(number) from oldest
      where number < all (select number from oldest where not is_over))`
