import sql from 'sql-template-tag'
import { int } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { stuckSince } from '../rules/late.ts'

const MAX_COUNTED = 1_000

/**
 * The number of bookings with overdue work, an undecided request, or a command not yet begun, up to
 * 1,000. Excludes sandboxes, which may follow clocks of their own.
 */
export function countStuckBookings(db: Db, at: Date): Promise<number> {
  const { late, unanswered } = stuckSince(at)
  const some = sql`
    and not exists (select from account a where a.id = account_id and a.mode = 'test')
    limit ${MAX_COUNTED}`
  return query.value(db, int)`
    select least(${MAX_COUNTED}, count(distinct id))::int as count from (
      (select id from booking where next_action_at < ${late} ${some})
      union all
      (select booking_id from request q where answer is null and created_at < ${late}
         and not exists (select from booking b where b.id = q.booking_id) ${some})
      union all
      (select booking_id from command c join booking b on b.id = c.booking_id
       where c.answer is null and c.begun_at is null and c.created_at < ${unanswered} ${some})
    ) as stuck`
}
