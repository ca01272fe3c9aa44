import { z } from 'zod'
import { type Db, execute, queryOptionalRow } from '../../platform/database/sql.ts'
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
  const written = await execute(
    tx,
    `insert into watch (id, account_id, venue_id, slot_time, flex_minutes, party_size, earliest,
       latest, until, hold_seconds, status, queued_at, nth, door, from_agent, created_at, updated_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'watching', $13, n, $11, $12, $13, $13
     from generate_series(1, $14) n
     where n not in (select nth from watch where account_id = $2 and nth is not null)
     order by random() limit 1
     on conflict do nothing`,
    [
      start.watchId,
      start.accountId,
      watch.venueId,
      start.slotTime,
      watch.flexMinutes,
      start.partySize,
      watch.earliest,
      watch.latest,
      watch.until,
      watch.holdSeconds,
      watch.door,
      watch.fromAgent,
      watch.at,
      MOST_WATCHES,
    ],
  )
  if (written === 0) return false
  await execute(
    tx,
    `insert into watched_venue (venue_id, looked_at) values ($1, $2) on conflict do nothing`,
    [watch.venueId, watch.at],
  )
  return true
}

const idRow = z.object({ id: z.uuid() })

/** The live watch of this account for the same, if it has one. */
export async function selectOptionalEqualEntry(
  db: Db,
  { start, venueId, flexMinutes }: NewEntry,
): Promise<string | undefined> {
  const row = await queryOptionalRow(
    db,
    idRow,
    `select id from watch where account_id = $1 and venue_id = $2 and slot_time = $3
       and party_size = $4 and flex_minutes = $5 and nth is not null`,
    [start.accountId, venueId, start.slotTime, start.partySize, flexMinutes],
  )
  return row?.id
}

const countRow = z.object({ live: z.int() })

/** Whether the account has as many live watches as it may have. */
export async function hasMostEntries(db: Db, accountId: string): Promise<boolean> {
  const row = await queryOptionalRow(
    db,
    countRow,
    'select count(*)::int as live from watch where account_id = $1 and nth is not null',
    [accountId],
  )
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

/** Where the watch stands, which must exist. */
export const selectOptionalEntryState = (db: Db, id: string): Promise<EntryState | undefined> =>
  queryOptionalRow(
    db,
    stateRow,
    `select w.status, w.until, w.hold_id, b.next_action_at as hold_ends_at
     from watch w left join booking b on b.id = w.hold_id where w.id = $1`,
    [id],
  )

/** Ends a watch whose time is over, unless it has a hold. */
export async function expireEntry(db: Db, id: string, at: Date): Promise<void> {
  await execute(
    db,
    `update watch set status = 'expired', reason_code = 'time_over', nth = null, updated_at = $2
     where id = $1 and status = 'watching' and until <= $2`,
    [id, at],
  )
}

/** Ends a watch that its agent no longer wants; false when it was over. */
export async function cancelWatch(db: Db, id: string, at: Date): Promise<boolean> {
  const ended = await execute(
    db,
    `update watch set status = 'cancelled', nth = null, updated_at = $2
     where id = $1 and status = any($3::text[])`,
    [id, at, entryStatusesBefore('cancelled')],
  )
  return ended === 1
}

/** Ends the entry whose hold the agent has cancelled; false when the hold is of none. */
export async function cancelEntryOfHold(tx: Db, holdId: string, at: Date): Promise<boolean> {
  const ended = await execute(
    tx,
    `update watch set status = 'cancelled', nth = null, updated_at = $2
     where hold_id = $1 and status = 'offered'`,
    [holdId, at],
  )
  return ended === 1
}

/** Ends the entry whose hold is confirmed; false when the hold is of none. */
export async function fulfilEntry(tx: Db, holdId: string, at: Date): Promise<boolean> {
  const ended = await execute(
    tx,
    `update watch set status = 'fulfilled', nth = null, updated_at = $2
     where hold_id = $1 and status = any($3::text[])`,
    [holdId, at, entryStatusesBefore('fulfilled')],
  )
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
  const ended = await execute(
    tx,
    `with turn as (
       select id, turns_missed + $2::int as missed,
         case when turns_missed + $2::int >= $4 then 'turns_missed'
           when until <= $3 then 'time_over' end as reason
       from watch where hold_id = $1 and status = 'offered'
     )
     update watch w set turns_missed = turn.missed, hold_id = null, queued_at = $3, updated_at = $3,
       status = case when turn.reason is null then 'watching' else 'expired' end,
       reason_code = turn.reason, nth = case when turn.reason is null then nth end
     from turn where w.id = turn.id and w.status = 'offered'`,
    [holdId, missed ? 1 : 0, at, MOST_TURNS],
  )
  return ended === 1
}
