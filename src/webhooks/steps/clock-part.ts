import sql, { type Sql } from 'sql-template-tag'
import type { ClockPart } from '../../contract/clock-part.ts'
import { atMost } from '../../platform/process/at-most.ts'
import type { WebhookEngine } from '../engine.ts'
import { selectEndpointStarts } from '../store/endpoint-starts.ts'

/** Concurrent signals. */
const CONCURRENCY = 10

/** When an endpoint's next delivery is due. In FIFO order, the first delays the others. */
const nextDueOf = (endpoint: Sql) => {
  const pending = sql`from delivery where endpoint_id = ${endpoint}.id and status = 'pending'`
  return sql`case when ${endpoint}.is_fifo
    then (select due_at ${pending} order by (replay_id is not null), event_number limit 1)
    else (select min(due_at) ${pending}) end`
}

/** When an active endpoint next has work; deliveries in flight count as due until they end. */
const dueOf = (endpoint: Sql) => sql`case
  when ${endpoint}.deleted_at is not null then
    case when ${endpoint}.ended_at is null then ${endpoint}.deleted_at end
  when ${endpoint}.status = 'active' then (
    select greatest(min(due.at), ${endpoint}.wait_until) from (
      select ${nextDueOf(endpoint)} as at
      union all
      select min(updated_at) from delivery
      where endpoint_id = ${endpoint}.id and status = 'sending'
      union all
      select min(next_at) from replay where endpoint_id = ${endpoint}.id and status = 'running'
    ) due having min(due.at) is not null) end`

/** What a test clock's advance does to the account's endpoints. */
export const endpointsOnClock: ClockPart<WebhookEngine> = {
  due: (accountId) => sql`(
    select min(${dueOf(sql`e`)}) from endpoint e where e.account_id = ${accountId})`,
  async tell({ db, engine }, accountId, { until, id }) {
    const due = sql`(${until}::timestamptz is null and e.deleted_at is null
      or ${dueOf(sql`e`)} <= ${until})`
    const starts = await selectEndpointStarts(db, accountId, due)
    await atMost(CONCURRENCY, starts, (start) => engine.notifyEndpointTime(start, id))
  },
}
