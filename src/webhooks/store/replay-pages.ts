import { z } from 'zod'
import {
  type Db,
  execute,
  type Pool,
  queryOptionalRow,
  queryRow,
  transaction,
} from '../../platform/database/sql.ts'
import { giveUpAt } from './outbox.ts'
import {
  filtered,
  filterValues,
  givenUp,
  type ReplayFilter,
  replayFilter,
} from './replay-filter.ts'

/** No page is taken while so many deliveries of replays are due or under way: an endpoint that is slow is not heaped up. */
const MANY_OUTSTANDING = 200
/** How soon to ask again then. */
const ROOM_MS = 250
const LARGEST_PAGE = 500
/** Of the time that nobody came for a page, this much is made up for. */
const CREDIT_MS = 1_000
/** Numbers of the ledger that one statement looks at, and statements of one page. */
const WINDOW = 5_000
const MOST_WINDOWS = 40

/** `nextAt` is when to come again; null when there is nothing to come for until a signal says so. */
export type ReplayPage = { queued: number; nextAt: Date | null }

/**
 * Puts the next page of the endpoint's running replay up for delivery: in one transaction with its cursor, so that neither two workers nor
 * a crash skip or double an event. No more than its pace allows, and nothing while 200 are outstanding or the endpoint is not active.
 * What is pending or under way already is left alone.
 */
export const takeReplayPage = (db: Pool, endpointId: string, at: Date): Promise<ReplayPage> =>
  transaction(db, async (tx) => {
    const replay = await selectRunningReplayForUpdate(tx, endpointId)
    if (!replay) return { queued: 0, nextAt: null }
    if (replay.next_at > at) return { queued: 0, nextAt: replay.next_at }
    if ((await countOutstanding(tx, endpointId, at)) >= MANY_OUTSTANDING) {
      return { queued: 0, nextAt: new Date(at.getTime() + ROOM_MS) }
    }
    const page = await putUpPage(tx, replay, Math.min(LARGEST_PAGE, replay.per_second), at)
    const nextAt = paced(replay, page.queued, at)
    await updateReplay(tx, replay, page, nextAt, at)
    const isDone = page.cursor >= replay.until_number
    return { queued: page.queued, nextAt: isDone ? null : nextAt }
  })

const runningRow = z.object({
  id: z.uuid(),
  endpoint_id: z.uuid(),
  account_id: z.uuid(),
  filter: replayFilter,
  cursor: z.int(),
  until_number: z.int(),
  per_second: z.int(),
  next_at: z.date(),
})
type Running = z.infer<typeof runningRow>

const selectRunningReplayForUpdate = (tx: Db, endpointId: string) =>
  queryOptionalRow(
    tx,
    runningRow,
    `select r.id, r.endpoint_id, r.account_id, r.filter, r.cursor, r.until_number, r.per_second, r.next_at
     from replay r join endpoint e on e.id = r.endpoint_id
     where r.endpoint_id = $1 and r.status = 'running' and e.status = 'active' and e.deleted_at is null
     for update of r`,
    [endpointId],
  )

const counted = z.object({ count: z.int() })

/** What waits for its next try does not count, so that a few events which the receiver refuses hold up none of the others. */
async function countOutstanding(tx: Db, endpointId: string, at: Date): Promise<number> {
  const { count } = await queryRow(
    tx,
    counted,
    `select (
       select count(*) from (
         select from delivery where endpoint_id = $1 and status = 'pending'
           and (replay_id is not null) and due_at <= $2 limit ${MANY_OUTSTANDING}) due
     ) + (
       select count(*) from delivery
       where endpoint_id = $1 and status = 'sending' and replay_id is not null
     ) as count`,
    [endpointId, at],
  )
  return count
}

type Page = { queued: number; leftAlone: number; cursor: number }

/** Up to `most` events, from as many windows of the ledger as it takes. */
async function putUpPage(tx: Db, replay: Running, most: number, at: Date): Promise<Page> {
  let page: Page = { queued: 0, leftAlone: 0, cursor: replay.cursor }
  for (let windows = 0; windows < MOST_WINDOWS; windows += 1) {
    const limit = most - page.queued
    if (limit <= 0 || page.cursor >= replay.until_number) break
    const end = replay.filter.numbers ? replay.until_number : page.cursor + WINDOW
    const until = Math.min(end, replay.until_number)
    const found = await insertWindow(tx, replay, { after: page.cursor, until, limit, at })
    page = {
      queued: page.queued + found.queued,
      leftAlone: page.leftAlone + found.looked - found.queued,
      cursor: found.looked < limit ? until : (found.last ?? until),
    }
  }
  return page
}

const windowRow = z.object({ queued: z.int(), looked: z.int(), last: z.int().nullable() })

/** Body and sequence of a delivery stay; what its attempts are called goes on from the last number. */
const insertWindow = (
  tx: Db,
  replay: Running,
  { after, until, limit, at }: { after: number; until: number; limit: number; at: Date },
) =>
  queryRow(tx, windowRow, statement(replay.filter), [
    ...filterValues(
      { accountId: replay.account_id, endpointId: replay.endpoint_id },
      replay.filter,
      { after, until },
    ),
    limit,
    replay.id,
    at,
    giveUpAt(at),
  ])

const statement = (filter: ReplayFilter) => `
  with looked as (
    select e.account_id, e.number, e.type, coalesce(d.status in ('pending', 'sending'), false) as waits
    ${filtered(filter)}
    order by e.number limit $11
  ), put as (
    insert into delivery as d (id, endpoint_id, account_id, event_number, event_type, status, due_at,
      give_up_at, replay_id, created_at, updated_at)
    select gen_random_uuid(), $2, account_id, number, type, 'pending', $13::timestamptz, $14::timestamptz,
      $12::uuid, $13, $13
    from looked where not waits
    on conflict (endpoint_id, event_number) do update set status = 'pending', tries = 0,
      due_at = excluded.due_at, give_up_at = excluded.give_up_at, replay_id = excluded.replay_id,
      updated_at = excluded.updated_at
    where d.status not in ('pending', 'sending')
      and ($9::timestamptz is null or d.status in ${givenUp})
      and (not $10::boolean or d.attempts = 0)
    returning 1
  )
  select (select count(*) from put) as queued, count(*) as looked, max(number) as last from looked`

/** When the next page may be taken: as long after this one's time as its events need at the pace. */
function paced({ per_second, next_at }: Running, queued: number, at: Date): Date {
  const from = Math.max(next_at.getTime(), at.getTime() - CREDIT_MS)
  return new Date(from + (queued / per_second) * 1000)
}

async function updateReplay(tx: Db, replay: Running, page: Page, nextAt: Date, at: Date) {
  const written = await execute(
    tx,
    `update replay set cursor = $3, queued = queued + $4, left_alone = left_alone + $5, next_at = $6,
       status = case when $3 >= until_number then 'completed' else status end, updated_at = $7
     where id = $1 and cursor = $2 and status = 'running'`,
    [replay.id, replay.cursor, page.cursor, page.queued, page.leftAlone, nextAt, at],
  )
  if (written !== 1) throw new Error(`the cursor of the replay ${replay.id} was moved by another`)
}
