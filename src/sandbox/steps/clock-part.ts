import sql from 'sql-template-tag'
import type { BookingEngine } from '../../bookings/engine.ts'
import type { ClockPart } from '../../contract/clock-part.ts'
import { deliverReplies } from './deliver-replies.ts'

/** Test venues' statements, on a sandbox's test clock. */
export const repliesOnClock: ClockPart<BookingEngine> = {
  due: (accountId) => sql`(
    select min(p.due_at) from sandbox_reply p where p.account_id = ${accountId})`,
  async tell(deps, accountId, { until }) {
    if (until) await deliverReplies(deps, until, accountId)
  },
}
