import { z } from 'zod'
import { int, uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { MAX_COUNTED } from '../schema/endpoints.ts'
import { replayCounts } from '../schema/replays.ts'
import { filteredEvents, type ReplayFilter } from './replay-filter.ts'

const targetRow = z.object({
  id: z.uuid(),
  is_proved: z.boolean(),
  is_deleted: z.boolean(),
  event_types: z.array(z.string()),
  last_number: z.int(),
})
/** An endpoint, whether its current URL is verified, and its account's last event number. */
export type ReplayTarget = z.infer<typeof targetRow>

/** An endpoint of this account, whether deleted or not. */
export const selectOptionalReplayTarget = (db: Db, accountId: string, endpointId: string) =>
  query.optionalRow(db, targetRow)`
    select e.id, e.proved_at is not null as is_proved, e.deleted_at is not null as is_deleted,
      e.event_types,
      coalesce((select last from event_counter c where c.account_id = e.account_id), 0)
        as last_number
    from endpoint e where e.id = ${endpointId} and e.account_id = ${accountId}`

const countsRow = replayCounts.extend({
  first: z.int().nullable(),
  last: z.int().nullable(),
  scanned: z.int(),
  end: z.int().nullable(),
})

/**
 * What a filter matches now, and the first and last number to send. Counting stops at 10,000; the
 * last number is then the end of the range.
 */
export async function countReplay(
  db: Db,
  of: { accountId: string; endpointId: string },
  filter: ReplayFilter,
  range: { after: number; until: number },
) {
  const { first, last, scanned, end, ...counts } = await query.row(db, countsRow)`
    select count(*) filter (where not is_waiting) as would_send,
      count(*) filter (where is_waiting) as in_flight,
      count(*) filter (where not is_waiting and attempts = 0) as never_attempted,
      min(number) filter (where not is_waiting) as first,
      max(number) filter (where not is_waiting) as last,
      count(*) as scanned, max(number) as end
    from (
      select e.number, coalesce(d.attempts, 0) as attempts,
        coalesce(d.status in ('pending', 'sending'), false) as is_waiting
      ${filteredEvents(of, filter, range)}
      order by e.number limit ${MAX_COUNTED}) f`
  if (scanned < MAX_COUNTED || end === null) return { counts, first, last }
  return { counts, first: first ?? end + 1, last: range.until }
}

export type NewReplay = {
  id: string
  endpointId: string
  filter: ReplayFilter
  /** event numbers; null if nothing matches */
  first: number | null
  last: number | null
  perSecond: number
  total: number
  at: Date
}

/** False if the endpoint is deleted or has an open replay. An empty replay completes at once. */
export async function insertReplay(db: Db, replay: NewReplay): Promise<boolean> {
  const { first, last, at } = replay
  const isEmpty = first === null || last === null
  return query.affectsRow(db)`
    insert into replay (id, endpoint_id, account_id, status, filter, cursor, until_number,
      per_second, next_at, total, created_at, updated_at)
    select ${replay.id}, id, account_id, ${isEmpty ? 'completed' : 'running'},
      ${JSON.stringify(replay.filter)}, ${isEmpty ? 0 : first - 1}, ${isEmpty ? 0 : last},
      ${replay.perSecond}, ${at}, ${replay.total}, ${at}, ${at}
    from endpoint where id = ${replay.endpointId} and deleted_at is null for share
    on conflict (endpoint_id) where status in ('running', 'paused') do nothing`
}

/** Inserts a replay. Tries again once, in case an open one has just ended. */
export async function beginReplay(tx: Db, replay: NewReplay) {
  for (let tries = 0; tries < 2; tries += 1) {
    if (await insertReplay(tx, replay)) return 'started' as const
    const openId = await query.optionalValue(tx, uuid)`
      select id from replay
      where endpoint_id = ${replay.endpointId} and status in ('running', 'paused')`
    if (openId) return { openId }
  }
  return 'deleted' as const
}

const changes = {
  pause: { to: 'paused', from: ['running'] },
  resume: { to: 'running', from: ['paused'] },
  cancel: { to: 'cancelled', from: ['running', 'paused'] },
} as const
export type ReplayChange = keyof typeof changes

/** False if the replay already has that status or is over. A resumed replay continues at once. */
export async function updateReplayStatus(db: Db, id: string, change: ReplayChange, at: Date) {
  const { to, from } = changes[change]
  return query.affectsRow(db)`
    update replay set status = ${to}, updated_at = ${at},
      next_at = case when ${to} = 'running' then ${at} else next_at end
    where id = ${id} and status = any(${from})`
}

/** The status to which a change leads. */
export const statusAfter = (change: ReplayChange): string => changes[change].to

/** Cancels an endpoint's open replay in the transaction that deletes the endpoint. */
export const cancelReplaysOf = (tx: Db, endpointId: string, at: Date) =>
  query.execute(tx)`
    update replay set status = 'cancelled', updated_at = ${at}
    where endpoint_id = ${endpointId} and status in ('running', 'paused')`

/** The given numbers that belong to events of the account, in order. */
export const selectEventNumbers = (db: Db, accountId: string, ids: readonly string[]) =>
  query.values(db, int)`
    select number from event where account_id = ${accountId} and id = any(${ids}::uuid[])
    order by number`
