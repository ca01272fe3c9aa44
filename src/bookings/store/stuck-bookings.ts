import { z } from 'zod'
import { bookingStatuses } from '../../contract/rules/booking-status.ts'
import { type Db, queryRow, queryRows } from '../../platform/database/sql.ts'

const MOST_SHOWN = 50
const MOST_COUNTED = 1_000

const bookingRow = z.object({
  id: z.uuid(),
  account_name: z.string(),
  venue_slug: z.string(),
  status: z.enum(bookingStatuses),
  venue_sync: z.string(),
  next_action_at: z.date(),
})

/** Bookings with something overdue since before `dueBefore`, the longest overdue first. */
export const selectStuckBookings = (db: Db, dueBefore: Date) =>
  queryRows(db, bookingRow)`
    select b.id, a.name as account_name, v.slug as venue_slug, b.status, b.venue_sync,
      b.next_action_at
    from booking b join account a on a.id = b.account_id join venue v on v.id = b.venue_id
    where b.next_action_at < ${dueBefore} order by b.next_action_at limit ${MOST_SHOWN}`

const countRow = z.object({ overdue: z.int() })

/** How many bookings have something overdue since before `dueBefore`; counts to 1,000. */
export async function countStuckBookings(db: Db, dueBefore: Date): Promise<number> {
  const { overdue } = await queryRow(db, countRow)`
    select count(*)::int as overdue from (
      select from booking where next_action_at < ${dueBefore} limit ${MOST_COUNTED}) stuck`
  return overdue
}
