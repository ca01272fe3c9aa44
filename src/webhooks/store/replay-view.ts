import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { endpointStatuses, replayStatuses } from '../rules/statuses.ts'
import { MAX_COUNTED } from '../schema/endpoints.ts'
import type { Replay } from '../schema/replays.ts'
import { replayFilter } from './replay-filter.ts'

const viewRow = z
  .object({
    id: z.uuid(),
    endpoint_id: z.uuid(),
    endpoint_status: z.enum(endpointStatuses),
    status: z.enum(replayStatuses),
    filter: replayFilter,
    per_second: z.int(),
    total: z.int(),
    queued: z.int(),
    skipped: z.int(),
    in_flight: z.int(),
    delivered: z.int(),
    not_delivered: z.int(),
    created_at: isoTime,
    updated_at: isoTime,
  })
  .transform(
    ({ filter, in_flight, delivered, not_delivered, ...row }): Replay => ({
      ...row,
      left_alone: row.skipped,
      chosen: filter.asked,
      deliveries: { in_flight, under_way: in_flight, delivered, not_delivered },
    }),
  )

/** SQL for the number of the replay's deliveries in these statuses, up to a limit. */
const counted = (statuses: Sql) => sql`(
  select count(*) from (
    select from delivery where replay_id = r.id and status in (${statuses})
    limit ${MAX_COUNTED}) of)`

const view = sql`select r.id, r.endpoint_id, e.status as endpoint_status, r.status, r.filter,
    r.per_second, r.total, r.queued, r.left_alone as skipped, r.created_at, r.updated_at,
    ${counted(sql`'pending', 'sending'`)} as in_flight, ${counted(sql`'delivered'`)} as delivered,
    ${counted(sql`'failed', 'discarded', 'expired'`)} as not_delivered
  from replay r
  join endpoint e on e.id = r.endpoint_id`

/** A replay of this account. */
export const selectOptionalReplayOf = (
  db: Db,
  accountId: string,
  id: string,
): Promise<Replay | undefined> =>
  queryOptionalRow(db, viewRow)`${view} where r.id = ${id} and r.account_id = ${accountId}`

/** The replays of an endpoint, newest first. */
export const selectReplaysOf = (
  db: Db,
  endpointId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<Replay[]> =>
  queryRows(db, viewRow)`
    ${view} where r.endpoint_id = ${endpointId} and (${before}::uuid is null or r.id < ${before})
    order by r.id desc limit ${limit}`
