import { z } from 'zod'
import { type Db, execute, queryOptionalRow, queryRow } from '../../platform/database/sql.ts'
import {
  type EntryStart,
  type EntryState,
  type EntryStatus,
  entryStatuses,
  entryStatusesBefore,
  MOST_TURNS,
  MOST_WATCHES,
} from '../rules/entry.ts'

/** A watch as it is written down; it may be offered a slot that begins from `earliest` to `latest`. */
export type NewEntry = {
  start: EntryStart
  venueId: string
  flexMinutes: number
  earliest: Date
  latest: Date
  until: Date
  holdSeconds: number
  door: string
  fromAgent: string | null
  at: Date
}

/** Takes one of the account's free numbers; false when it has none, or an equal watch that is live. */
export async function insertEntry(tx: Db, watch: NewEntry): Promise<boolean> {
  const { start } = watch
  const written = await execute(tx)`
    insert into watch (id, account_id, venue_id, slot_time, flex_minutes, party_size, earliest,
      latest, until, hold_seconds, status, queued_at, nth, door, from_agent, created_at,
        updated_at)
    select ${start.watchId}, ${start.accountId}, ${watch.venueId}, ${start.slotTime},
      ${watch.flexMinutes}, ${start.partySize}, ${watch.earliest}, ${watch.latest}, ${watch.until},
        ${watch.holdSeconds}, 'watching', ${watch.at}, n, ${watch.door}, ${watch.fromAgent},
          ${watch.at}, ${watch.at}
    from generate_series(1, ${MOST_WATCHES}) n
    where n not in (select nth from watch where account_id = ${start.accountId}
      and nth is not null)
    order by random() limit 1
    on conflict do nothing`
  if (written === 0) return false
  await execute(tx)`
    insert into watched_venue (venue_id, looked_at) values (${watch.venueId}, ${watch.at})
      on conflict do nothing`
  return true
}

const idRow = z.object({ id: z.uuid() })

/** The live watch of this account for the same, if it has one. */
export async function selectOptionalEqualEntry(
  db: Db,
  { start, venueId, flexMinutes }: NewEntry,
): Promise<string | undefined> {
  const row = await queryOptionalRow(db, idRow)`
    select id from watch where account_id = ${start.accountId} and venue_id = ${venueId}
      and slot_time = ${start.slotTime}
    and party_size = ${start.partySize} and flex_minutes = ${flexMinutes} and nth is not null`
  return row?.id
}

const countRow = z.object({ live: z.int() })

/** Whether the account has as many live watches as it may have. */
export async function hasMostEntries(db: Db, accountId: string): Promise<boolean> {
  const row = await queryOptionalRow(db, countRow)`
    select count(*)::int as live from watch where account_id = ${accountId} and nth is not null`
  return row !== undefined && row.live >= MOST_WATCHES
}

const stateRow = z
  .object({
    status: z.enum(entryStatuses),
    until: z.date(),
    hold_id: z.uuid().nullable(),
    hold_ends_at: z.date().nullable(),
  })
  .transform(
    (row): EntryState => ({
      status: row.status,
      nextActionAt: nextActionAt(row)?.toISOString() ?? null,
      holdId: row.hold_id,
    }),
  )

/** A watcher that has a hold is left alone until that has ended, even when its own time is over. */
function nextActionAt(row: { status: EntryStatus; until: Date; hold_ends_at: Date | null }) {
  if (row.status === 'watching') return row.until
  if (row.status !== 'offered') return null
  const end = row.hold_ends_at ?? row.until
  return new Date(Math.max(end.getTime(), row.until.getTime()) + 60_000)
}

/** The state of a watch, which must exist. */
export const selectEntryState = (db: Db, id: string) =>
  queryRow(db, stateRow)`
    select w.status, w.until, w.hold_id, b.next_action_at as hold_ends_at
    from watch w left join booking b on b.id = w.hold_id where w.id = ${id}`

/** Ends a watch whose time is over, unless it has a hold. */
export async function expireEntry(db: Db, id: string, at: Date): Promise<void> {
  await execute(db)`
    update watch set status = 'expired', reason_code = 'time_over', nth = null, updated_at = ${at}
    where id = ${id} and status = 'watching' and until <= ${at}`
}

/** Ends a watch that its agent no longer wants; false when it was over. */
export async function cancelWatch(db: Db, id: string, at: Date): Promise<boolean> {
  const ended = await execute(db)`
    update watch set status = 'cancelled', nth = null, updated_at = ${at}
    where id = ${id} and status = any(${entryStatusesBefore('cancelled')}::text[])`
  return ended === 1
}

/** Ends the entry whose hold the agent has cancelled; false when the hold is of none. */
export async function cancelEntryOfHold(tx: Db, holdId: string, at: Date): Promise<boolean> {
  const ended = await execute(tx)`
    update watch set status = 'cancelled', nth = null, updated_at = ${at}
    where hold_id = ${holdId} and status = 'offered'`
  return ended === 1
}

/** Ends the entry whose hold is confirmed; false when the hold is of none. */
export async function fulfilEntry(tx: Db, holdId: string, at: Date): Promise<boolean> {
  const ended = await execute(tx)`
    update watch set status = 'fulfilled', nth = null, updated_at = ${at}
    where hold_id = ${holdId} and status = any(${entryStatusesBefore('fulfilled')}::text[])`
  return ended === 1
}

/**
 * The hold of an entry is over: the entry waits again, behind all others, or ends when its time is
 * over or it has let too many holds go (`missed` counts this one). False when the hold is of none.
 */
export async function endTurn(
  tx: Db,
  holdId: string,
  { missed, at }: { missed: boolean; at: Date },
): Promise<boolean> {
  const ended = await execute(tx)`
    with turn as (
      select id, turns_missed + ${missed ? 1 : 0}::int as missed,
        case when turns_missed + ${missed ? 1 : 0}::int >= ${MOST_TURNS} then 'turns_missed'
          when until <= ${at} then 'time_over' end as reason
      from watch where hold_id = ${holdId} and status = 'offered'
    )
    update watch w set turns_missed = turn.missed, hold_id = null, queued_at = ${at},
      updated_at = ${at},
      status = case when turn.reason is null then 'watching' else 'expired' end,
      reason_code = turn.reason, nth = case when turn.reason is null then nth end
    from turn where w.id = turn.id and w.status = 'offered'`
  return ended === 1
}
