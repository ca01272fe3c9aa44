import sql, { type Sql } from 'sql-template-tag'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { MAX_COUNTED } from '../schema/endpoints.ts'
import { replay } from '../schema/replays.ts'

const replayRow = replay.extend({ created_at: isoTime, updated_at: isoTime })

/** SQL that counts the replay's deliveries in these statuses, up to a limit. */
const counted = (statuses: Sql) => sql`(
  select count(*) from (
    select from delivery where replay_id = r.id and status in (${statuses})
    limit ${MAX_COUNTED}) of)`

const view = sql`select r.id, r.endpoint_id, e.status as endpoint_status, r.status,
    r.filter->'asked' as chosen, r.per_second, r.total, r.queued, r.skipped,
    r.created_at, r.updated_at,
    json_build_object('in_flight', n.in_flight,
      'delivered', ${counted(sql`'delivered'`)},
      'not_delivered', ${counted(sql`'failed', 'discarded', 'expired'`)}) as deliveries
  from replay r
  join endpoint e on e.id = r.endpoint_id
  cross join lateral (select ${counted(sql`'pending', 'sending'`)} as in_flight) n`

/** A replay of this account. */
export const selectOptionalReplayOf = (db: Db, accountId: string, id: string) =>
  query.optionalRow(db, replayRow)`${view} where r.id = ${id} and r.account_id = ${accountId}`

/** An endpoint's replays, newest first. */
export const selectReplaysOf = (
  db: Db,
  endpointId: string,
  { before, limit }: { before: string | null; limit: number },
) =>
  query.rows(db, replayRow)`
    ${view} where r.endpoint_id = ${endpointId} and (${before}::uuid is null or r.id < ${before})
    order by r.id desc limit ${limit}`
