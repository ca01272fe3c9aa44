import sql from 'sql-template-tag'
import type { ClockPart } from '../../contract/clock-part.ts'
import { atMost } from '../../platform/process/at-most.ts'
import type { GroupEngine } from '../engine.ts'
import { ITINERARY_GRACE_MS } from '../rules/groups.ts'
import { selectGroupStarts } from '../store/group-progress.ts'

/** How many signals to send concurrently. */
const CONCURRENCY = 10

const dueOf = sql`case when g.status in ('holding', 'asking')
  then g.answer_by + ${ITINERARY_GRACE_MS} * interval '1 ms' end`
const isOpen = sql`g.next_action_at is not null`

/** An account's itineraries and alternatives on its test clock. */
export const groupsOnClock: ClockPart<GroupEngine> = {
  due: (accountId) => sql`(
    select min(${dueOf}) from booking_group g
    where g.account_id = ${accountId} and ${isOpen})`,
  async tell({ db, engine }, accountId, { until, id }) {
    const isDue = sql`${isOpen} and (${until}::timestamptz is null or ${dueOf} <= ${until})`
    const starts = await selectGroupStarts(db, accountId, isDue)
    await atMost(CONCURRENCY, starts, (start) => engine.notifyGroupTime(start, id))
  },
}
