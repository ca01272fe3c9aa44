import { z } from 'zod'
import { int } from '../../platform/database/columns.ts'
import { type Db, type Pool, query, transaction } from '../../platform/database/sql.ts'
import { giveUpAt } from './outbox.ts'
import { filteredEvents, givenUp, replayFilter } from './replay-filter.ts'

/** Maximum replayed deliveries due or in flight: above it, a slow endpoint gets no further page. */
const MAX_OUTSTANDING = 200
/** How long to pause before checking again. */
const RECHECK_MS = 250
const MAX_PAGE = 500
/** The longest delay that a late replay makes up for. */
const CREDIT_MS = 1_000
/** Ledger numbers that one statement scans, and statements per page. */
const WINDOW = 5_000
const MAX_WINDOWS = 40

/**
 * Enqueues the next page of the endpoint's running replay, as large as the pace allows, and moves
 * the cursor in the same transaction, so that no event is skipped or repeated by two workers or
 * after a crash. `nextAt`: when the next page is due; null if nothing more comes before a signal.
 */
export const takeReplayPage = (db: Pool, endpointId: string, at: Date) =>
  transaction(db, async (tx) => {
    const replay = await selectRunningReplayForUpdate(tx, endpointId)
    if (!replay) return { queued: 0, nextAt: null }
    if (replay.next_at > at) return { queued: 0, nextAt: replay.next_at }
    if ((await countOutstanding(tx, endpointId, at)) >= MAX_OUTSTANDING) {
      return { queued: 0, nextAt: new Date(at.getTime() + RECHECK_MS) }
    }
    const page = await enqueuePage(tx, replay, Math.min(MAX_PAGE, replay.per_second), at)
    const nextAt = nextPageAt(replay, page.queued, at)
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
type RunningReplay = z.infer<typeof runningRow>

const selectRunningReplayForUpdate = (tx: Db, endpointId: string) =>
  query.optionalRow(tx, runningRow)`
    select r.id, r.endpoint_id, r.account_id, r.filter, r.cursor, r.until_number, r.per_second,
      r.next_at
    from replay r join endpoint e on e.id = r.endpoint_id
    where r.endpoint_id = ${endpointId} and r.status = 'running' and e.status = 'active'
      and e.deleted_at is null
    for update of r`

/** Ignores deliveries awaiting a later attempt: a few failed ones must not stop the rest. */
const countOutstanding = (tx: Db, endpointId: string, at: Date) =>
  query.value(tx, int)`
    select (
      select count(*) from (
        select from delivery where endpoint_id = ${endpointId} and status = 'pending'
          and (replay_id is not null) and due_at <= ${at} limit ${MAX_OUTSTANDING}) due
    ) + (
      select count(*) from delivery
      where endpoint_id = ${endpointId} and status = 'sending' and replay_id is not null
    ) as count`

type Page = { queued: number; skipped: number; cursor: number }

/** Enqueues up to `limit` events, scanning as many windows of the ledger as necessary. */
async function enqueuePage(tx: Db, replay: RunningReplay, limit: number, at: Date): Promise<Page> {
  let page: Page = { queued: 0, skipped: 0, cursor: replay.cursor }
  for (let windows = 0; windows < MAX_WINDOWS; windows += 1) {
    const room = limit - page.queued
    if (room <= 0 || page.cursor >= replay.until_number) break
    const end = replay.filter.numbers ? replay.until_number : page.cursor + WINDOW
    const until = Math.min(end, replay.until_number)
    const window = await enqueueWindow(tx, replay, { after: page.cursor, until }, room, at)
    page = {
      queued: page.queued + window.queued,
      skipped: page.skipped + window.scanned - window.queued,
      cursor: window.scanned < room ? until : (window.last ?? until),
    }
  }
  return page
}

const windowRow = z.object({ queued: z.int(), scanned: z.int(), last: z.int().nullable() })

/** A delivery keeps its body, sequence number and attempt count. */
const enqueueWindow = (
  tx: Db,
  { id, account_id: accountId, endpoint_id: endpointId, filter }: RunningReplay,
  range: { after: number; until: number },
  limit: number,
  at: Date,
) =>
  query.row(tx, windowRow)`
    with scanned as (
      select e.account_id, e.number, e.type,
        coalesce(d.status in ('pending', 'sending'), false) as is_waiting
      ${filteredEvents({ accountId, endpointId }, filter, range)}
      order by e.number limit ${limit}
    ), enqueued as (
      insert into delivery as d (id, endpoint_id, account_id, event_number, event_type, status,
        due_at, give_up_at, replay_id, created_at, updated_at)
      select gen_random_uuid(), ${endpointId}, account_id, number, type, 'pending',
        ${at}::timestamptz, ${giveUpAt(at)}::timestamptz, ${id}::uuid, ${at}, ${at}
      from scanned where not is_waiting
      on conflict (endpoint_id, event_number) do update set status = 'pending', tries = 0,
        due_at = excluded.due_at, give_up_at = excluded.give_up_at, replay_id = excluded.replay_id,
        updated_at = excluded.updated_at
      where d.status not in ('pending', 'sending')
        and (${filter.failedSince}::timestamptz is null or d.status in ${givenUp})
        and (not ${filter.neverAttempted}::boolean or d.attempts = 0)
      returning 1
    )
    select (select count(*) from enqueued) as queued, count(*) as scanned, max(number) as last
    from scanned`

/** When the next page is due, from the number of events queued and the replay's pace. */
function nextPageAt({ per_second, next_at }: RunningReplay, queued: number, at: Date): Date {
  const from = Math.max(next_at.getTime(), at.getTime() - CREDIT_MS)
  return new Date(from + (queued / per_second) * 1000)
}

async function updateReplay(tx: Db, replay: RunningReplay, page: Page, nextAt: Date, at: Date) {
  const updated = await query.execute(tx)`
    update replay set cursor = ${page.cursor}, queued = queued + ${page.queued},
      skipped = skipped + ${page.skipped}, next_at = ${nextAt}, updated_at = ${at},
      status = case when ${page.cursor} >= until_number then 'completed' else status end
    where id = ${replay.id} and cursor = ${replay.cursor} and status = 'running'`
  if (updated !== 1) throw new Error(`replay ${replay.id}: another transaction moved its cursor`)
}
