import { z } from 'zod'
import {
  type Db,
  execute,
  queryOptionalRow,
  queryRow,
  queryRows,
} from '../../platform/database/sql.ts'
import { MOST_COUNTED } from '../schema/endpoints.ts'
import type { ReplayCounts } from '../schema/replays.ts'
import { filtered, filterValues, type ReplayFilter } from './replay-filter.ts'

const targetRow = z.object({
  id: z.uuid(),
  is_proved: z.boolean(),
  is_deleted: z.boolean(),
  event_types: z.array(z.string()),
  last_number: z.int(),
})
/** An endpoint, whether the address that it has now is its owner's, and the last number in the ledger of its account. */
export type ReplayTarget = z.infer<typeof targetRow>

/** The endpoint, deleted or not, if the account has such a one. */
export const selectOptionalReplayTarget = (
  db: Db,
  accountId: string,
  endpointId: string,
): Promise<ReplayTarget | undefined> =>
  queryOptionalRow(
    db,
    targetRow,
    `select e.id, e.proved_at is not null as is_proved, e.deleted_at is not null as is_deleted, e.event_types,
       coalesce((select last from event_counter c where c.account_id = e.account_id), 0) as last_number
     from endpoint e where e.id = $2 and e.account_id = $1`,
    [accountId, endpointId],
  )

const countsRow = z.object({
  would_send: z.int(),
  under_way: z.int(),
  never_attempted: z.int(),
  first: z.int().nullable(),
  last: z.int().nullable(),
  looked: z.int(),
  end: z.int().nullable(),
})

/**
 * What a filter comes to now, and numbers before and behind which it matches nothing that would be sent. Of a long one the first 10,000
 * matches are counted, and the end of the range is taken for its last.
 */
export async function countReplay(
  db: Db,
  of: { accountId: string; endpointId: string },
  filter: ReplayFilter,
  range: { after: number; until: number },
): Promise<{ counts: ReplayCounts; first: number | null; last: number | null }> {
  const { first, last, looked, end, ...counts } = await queryRow(
    db,
    countsRow,
    `select count(*) filter (where not waits) as would_send, count(*) filter (where waits) as under_way,
       count(*) filter (where not waits and attempts = 0) as never_attempted,
       min(number) filter (where not waits) as first, max(number) filter (where not waits) as last,
       count(*) as looked, max(number) as end
     from (
       select e.number, coalesce(d.attempts, 0) as attempts,
         coalesce(d.status in ('pending', 'sending'), false) as waits
       ${filtered(filter)}
       order by e.number limit $11) f`,
    [...filterValues(of, filter, range), MOST_COUNTED],
  )
  if (looked < MOST_COUNTED || end === null) return { counts, first, last }
  return { counts, first: first ?? end + 1, last: range.until }
}

export type NewReplay = {
  id: string
  endpointId: string
  filter: ReplayFilter
  /** numbers: what comes before and after them does not match */
  first: number | null
  last: number | null
  perSecond: number
  total: number
  at: Date
}

/** False when the endpoint has one that is not over, or is deleted. One with nothing to send is completed from the beginning. */
export async function insertReplay(db: Db, replay: NewReplay): Promise<boolean> {
  const { first, last } = replay
  const isEmpty = first === null || last === null
  const written = await execute(
    db,
    `insert into replay (id, endpoint_id, account_id, status, filter, cursor, until_number, per_second,
       next_at, total, created_at, updated_at)
     select $1, id, account_id, $3, $4, $5, $6, $7, $8, $9, $8, $8
     from endpoint where id = $2 and deleted_at is null for share
     on conflict (endpoint_id) where status in ('running', 'paused') do nothing`,
    [
      replay.id,
      replay.endpointId,
      isEmpty ? 'completed' : 'running',
      JSON.stringify(replay.filter),
      isEmpty ? 0 : first - 1,
      isEmpty ? 0 : last,
      replay.perSecond,
      replay.at,
      replay.total,
    ],
  )
  return written === 1
}

/**
 * Writes a replay, unless the endpoint is deleted or has one that is not over. One that ends between the two looks is no obstacle: then it
 * is tried once more.
 */
export async function beginReplay(
  tx: Db,
  replay: NewReplay,
): Promise<'begun' | 'deleted' | { openId: string }> {
  for (let looks = 0; looks < 2; looks += 1) {
    if (await insertReplay(tx, replay)) return 'begun'
    const open = await selectOptionalOpenReplay(tx, replay.endpointId)
    if (open) return { openId: open.id }
  }
  return 'deleted'
}

const idRow = z.object({ id: z.uuid() })

const selectOptionalOpenReplay = (
  db: Db,
  endpointId: string,
): Promise<{ id: string } | undefined> =>
  queryOptionalRow(
    db,
    idRow,
    `select id from replay where endpoint_id = $1 and status in ('running', 'paused')`,
    [endpointId],
  )

/** What its owner can do with a replay, and from where. */
const changes = {
  pause: { to: 'paused', from: ['running'] },
  resume: { to: 'running', from: ['paused'] },
  cancel: { to: 'cancelled', from: ['running', 'paused'] },
} as const
export type ReplayChange = keyof typeof changes

/** True when it was changed; false when it is where it should be, or over. A resumed one goes on at once. */
export async function updateReplayStatus(
  db: Db,
  id: string,
  change: ReplayChange,
  at: Date,
): Promise<boolean> {
  const { to, from } = changes[change]
  const written = await execute(
    db,
    `update replay set status = $2, updated_at = $4,
       next_at = case when $2 = 'running' then $4 else next_at end
     where id = $1 and status = any($3)`,
    [id, to, from, at],
  )
  return written === 1
}

/** Where a change leads to. */
export const statusAfter = (change: ReplayChange): string => changes[change].to

/** Ends the replay of an endpoint that is being deleted: part of its transaction. */
export async function cancelReplaysOf(tx: Db, endpointId: string, at: Date): Promise<void> {
  await execute(
    tx,
    `update replay set status = 'cancelled', updated_at = $2
     where endpoint_id = $1 and status in ('running', 'paused')`,
    [endpointId, at],
  )
}

const numberRow = z.object({ number: z.int() })

/** The numbers of those of these events that the account has, in order. */
export async function selectEventNumbers(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<number[]> {
  const rows = await queryRows(
    db,
    numberRow,
    'select number from event where account_id = $1 and id = any($2::uuid[]) order by number',
    [accountId, ids],
  )
  return rows.map(({ number }) => number)
}
