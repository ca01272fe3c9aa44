import { z } from 'zod'
import { bookingStatuses } from '../../base/booking-status.ts'
import { firstIdAt } from '../../base/ids.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const usedRow = z.object({
  tier: z.enum(['free', 'pro']),
  requests_per_day: z.int().nullable(),
  used: z.int(),
})

/**
 * An account's requests on a UTC day (YYYY-MM-DD); for a sandbox, including its siblings'. Also the
 * account's tier and, if it has one, its own limit.
 */
export const selectOptionalUsed = (db: Db, accountId: string, day: string) =>
  query.optionalRow(db, usedRow)`
    select a.tier, a.requests_per_day, coalesce(q.used, 0) as used
    from account a left join quota_day q on q.account_id = coalesce(a.live_account_id, a.id)
      and q.mode = a.mode and q.day = ${day}
    where a.id = ${accountId}`

const countRow = z.object({ day: z.string(), code: z.string(), calls: z.int() })

/** An account's calls since a UTC day, by day and code. */
export const selectCallCounts = (db: Db, accountId: string, since: string) =>
  query.rows(db, countRow)`
    select day, code, calls from usage_day where account_id = ${accountId} and day >= ${since}
    order by day, code`

const statusRow = z.object({ status: z.enum(bookingStatuses), bookings: z.int() })

/** The bookings that an account made in a period, by current status. */
export async function selectBookingCounts(
  db: Db,
  accountId: string,
  { from, until }: { from: Date; until: Date },
) {
  const rows = await query.rows(db, statusRow)`
    select status, count(*) as bookings from booking
    where account_id = ${accountId} and id >= ${firstIdAt(from)} and id < ${firstIdAt(until)}
    group by status`
  return Object.fromEntries(rows.map(({ status, bookings }) => [status, bookings] as const))
}
