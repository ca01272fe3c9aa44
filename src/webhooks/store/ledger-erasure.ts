import sql from 'sql-template-tag'
import type { DueRows } from '../../platform/database/continue-pass.ts'

/**
 * The oldest events of an account, up to the first that must stay: one that is recent or has a
 * delivery, or whose booking was not over by this time. The remaining numbers thus have no gaps.
 */
export const oldestEvents = (accountId: string, before: Date): DueRows => ({
  from: 'event',
  id: 'number',
  where: sql`account_id = ${accountId}`,
  order: 'number',
  isInOrder: true,
  change: (numbers) => sql`
    with oldest as (
      select number, created_at < ${before}
        and (booking_id is null or exists (
          select from booking b where b.id = e.booking_id
            and b.next_action_at is null and b.ends_at < ${before}))
        and not exists (
          select from delivery d where d.account_id = e.account_id and d.event_number = e.number)
        as is_over
      from event e where account_id = ${accountId} and number = any(array(${numbers}))
    )
    delete from event where account_id = ${accountId} and number <= (
      select max(number) from oldest
      where number < all (select number from oldest where not is_over))`,
})
