import sql from 'sql-template-tag'
import type { ClockPart } from '../../contract/clock-part.ts'
import { atMost } from '../../platform/process/at-most.ts'
import type { WaitlistEngine } from '../engine.ts'
import { selectEntryStarts } from '../store/queue.ts'
import { holdEndsAt } from '../store/turns.ts'

/** How many signals to send at a time. */
const CONCURRENCY = 10

/** An entry that has a hold waits for the hold to end, even past its own end. */
const dueOf = sql`case w.status when 'watching' then w.until else greatest(w.until, (
  select ${holdEndsAt} from booking b where b.id = w.hold_id)) + interval '1 minute' end`

/** An account's waitlist entries on its test clock. */
export const entriesOnClock: ClockPart<WaitlistEngine> = {
  due: (accountId) => sql`(
    select min(${dueOf}) from waitlist_entry w
    where w.account_id = ${accountId} and w.nth is not null)`,
  async tell({ db, engine }, accountId, { until, id }) {
    const isDue = sql`w.nth is not null and (${until}::timestamptz is null or ${dueOf} <= ${until})`
    const starts = await selectEntryStarts(db, accountId, isDue)
    await atMost(CONCURRENCY, starts, (start) => engine.notifyEntryTime(start, id))
  },
}
