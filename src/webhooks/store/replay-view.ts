import { z } from 'zod'
import { type Db, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { endpointStatuses, replayStatuses } from '../rules/webhooks.ts'
import { MOST_COUNTED } from '../schema/endpoints.ts'
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
    left_alone: z.int(),
    under_way: z.int(),
    delivered: z.int(),
    not_delivered: z.int(),
    created_at: z.date(),
    updated_at: z.date(),
  })
  .transform(
    ({ filter, under_way, delivered, not_delivered, ...row }): Replay => ({
      ...row,
      chosen: filter.asked,
      deliveries: { under_way, delivered, not_delivered },
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }),
  )

/** How many deliveries of the replay are in these statuses; of many, no more than are worth counting. */
const counted = (statuses: string): string => `(
  select count(*) from (
    select from delivery where replay_id = r.id and status in (${statuses}) limit ${MOST_COUNTED}) of)`

const view = `select r.id, r.endpoint_id, e.status as endpoint_status, r.status, r.filter, r.per_second,
    r.total, r.queued, r.left_alone, r.created_at, r.updated_at,
    ${counted(`'pending', 'sending'`)} as under_way, ${counted(`'delivered'`)} as delivered,
    ${counted(`'failed', 'discarded', 'expired'`)} as not_delivered
  from replay r
  join endpoint e on e.id = r.endpoint_id`

/** The replay, if the account has such a one. */
export const selectOptionalReplayOf = (
  db: Db,
  accountId: string,
  id: string,
): Promise<Replay | undefined> =>
  queryOptionalRow(db, viewRow, `${view} where r.id = $1 and r.account_id = $2`, [id, accountId])

/** The replays of an endpoint, newest first, those before `before` if given. */
export const selectReplaysOf = (
  db: Db,
  endpointId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<Replay[]> =>
  queryRows(
    db,
    viewRow,
    `${view} where r.endpoint_id = $1 and ($2::uuid is null or r.id < $2) order by r.id desc limit $3`,
    [endpointId, before, limit],
  )
