import { z } from 'zod'
import { type Db, queryRow } from '../../platform/database/sql.ts'

const MOST_COUNTED = 1_000

const countRow = z.object({ overdue: z.int() })

/** How many bookings have something overdue since before `dueBefore`; counts to 1,000. */
export async function countStuckBookings(db: Db, dueBefore: Date): Promise<number> {
  const { overdue } = await queryRow(db, countRow)`
    select count(*)::int as overdue from (
      select from booking b
      where next_action_at < ${dueBefore}
        and not exists (select from account a where a.id = b.account_id and a.mode = 'test')
      limit ${MOST_COUNTED}) stuck`
  return overdue
}
