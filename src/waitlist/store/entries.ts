import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { MINUTE_MS } from '../../base/durations.ts'
import { fillGuest, type GuestDetails } from '../../bookings/store/guests.ts'
import { int, uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import {
  type EntryStart,
  type EntryState,
  entryStatusesBefore,
  MAX_TURNS,
  MAX_WATCHES,
} from '../rules/entry.ts'
import { entryStatuses } from '../rules/entry-status.ts'
import { holdEndsAt } from './turns.ts'

/** A new entry, which fits slots that begin from `earliest` to `latest`. */
export type NewEntry = {
  start: EntryStart
  venueId: string
  flexMinutes: number
  earliest: Date
  latest: Date
  until: Date
  holdSeconds: number
  guestRef?: string | null
  /** stored under the entry's id, and copied to its holds */
  guest?: GuestDetails | null
  door: string
  fromAgent: string | null
  at: Date
}

/** Uses one of the account's free numbers; false if none is free. */
export async function insertEntry(tx: Db, { start, at, ...entry }: NewEntry) {
  const inserted = await query.execute(tx)`
    insert into waitlist_entry (id, account_id, venue_id, slot_time, flex_minutes, party_size,
      service_id, session, minutes, leader_id, earliest, latest, until, hold_seconds, status,
      queued_at, nth, door, from_agent, created_at, updated_at, guest_ref)
    select ${start.entryId}, ${start.accountId}, ${entry.venueId}, ${start.slotTime},
      ${entry.flexMinutes}, ${start.partySize}, ${start.serviceId}, ${start.session},
      ${start.minutes}, ${start.leaderId}, ${entry.earliest}, ${entry.latest}, ${entry.until},
      ${entry.holdSeconds}, 'watching', ${at}, n, ${entry.door}, ${entry.fromAgent}, ${at}, ${at},
      ${entry.guestRef}
    from generate_series(1, ${MAX_WATCHES}) n
    where n not in (
      select nth from waitlist_entry where account_id = ${start.accountId} and nth is not null)
    order by random() limit 1
    on conflict do nothing`
  if (inserted === 0) return false
  if (entry.guest) await fillGuest(tx, start.entryId, entry.guest)
  await query.execute(tx)`
    insert into waitlist_venue (venue_id, checked_at) values (${entry.venueId}, ${at})
    on conflict do nothing`
  return true
}

/**
 * The id of the account's equal live entry, if any. Another name or `guest_ref` is another guest,
 * and so is a name beside a mere reference. Who names nobody means the newest entry for the slot.
 */
export const selectOptionalEqualEntry = (
  db: Db,
  { start, venueId, flexMinutes, guestRef, guest }: NewEntry,
) =>
  query.optionalValue(db, uuid)`
    select w.id from waitlist_entry w left join booking_guest g on g.booking_id = w.id
      cross join lateral (select w.guest_ref = ${guestRef} as by_ref,
        plain_words(g.name) = plain_words(${guest?.details.name}::text) as by_name) same
    where account_id = ${start.accountId} and venue_id = ${venueId}
      and slot_time = ${start.slotTime} and party_size = ${start.partySize}
      and flex_minutes = ${flexMinutes} and nth is not null
      and (service_id, session, minutes, leader_id) is not distinct from (
        ${start.serviceId}::uuid, ${start.session}::text, ${start.minutes}::integer,
        ${start.leaderId}::uuid)
      and by_ref is not false and by_name is not false
      and (by_ref or by_name or num_nonnulls(w.guest_ref, g.name) = 0
        or num_nonnulls(${guestRef}::text, ${guest?.details.name}::text) = 0)
    order by by_ref is true desc, by_name is true desc, w.id desc limit 1`

/** Gives a waiting entry what it lacks of an equal request's guest; a hold has its own copy. */
export async function fillEntryGuest(tx: Db, id: string, { guestRef, guest }: NewEntry) {
  const isWaiting = await query.affectsRow(tx)`
    update waitlist_entry set guest_ref = coalesce(guest_ref, ${guestRef})
    where id = ${id} and status = 'watching'`
  if (isWaiting && guest) await fillGuest(tx, id, guest)
}

/** Whether the account has reached the limit of live entries. */
export const hasMostEntries = async (db: Db, accountId: string) =>
  (await query.value(db, int)`
    select count(*) from waitlist_entry
    where account_id = ${accountId} and nth is not null`) >= MAX_WATCHES

const stateRow = z.object({
  status: z.enum(entryStatuses),
  until: z.date(),
  hold_id: z.uuid().nullable(),
  hold_ends_at: z.date().nullable(),
})

/** The state of an entry, which must exist. */
export async function selectEntryState(db: Db, id: string): Promise<EntryState> {
  const row = await query.row(db, stateRow)`
    select w.status, w.until, w.hold_id, ${holdEndsAt} as hold_ends_at
    from waitlist_entry w left join booking b on b.id = w.hold_id where w.id = ${id}`
  const nextActionAt = nextActionOf(row)?.toISOString() ?? null
  return { status: row.status, nextActionAt, holdId: row.hold_id }
}

/** An entry that has a hold waits for the hold to end, even past its own end. */
function nextActionOf({ status, until, hold_ends_at }: z.infer<typeof stateRow>) {
  if (status === 'watching') return until
  if (status !== 'offered') return null
  return new Date(Math.max(hold_ends_at?.getTime() ?? 0, until.getTime()) + MINUTE_MS)
}

const end = (db: Db, status: 'cancelled' | 'fulfilled', which: Sql, at: Date) =>
  query.affectsRow(db)`
    update waitlist_entry set status = ${status}, nth = null, updated_at = ${at}
    where ${which} and status = any(${entryStatusesBefore(status)}::text[])`

/** Ends an entry whose time is up, unless it has a hold. */
export const expireEntry = (db: Db, id: string, at: Date) =>
  query.execute(db)`
    update waitlist_entry set status = 'expired', reason_code = 'time_over', nth = null,
      updated_at = ${at}
    where id = ${id} and status = 'watching' and until <= ${at}`

/** Ends all entries at a venue that is removed, or at every live venue; returns how many. */
export const expireEntriesAt = (tx: Db, venueId: string | null, at: Date) =>
  query.execute(tx)`
    update waitlist_entry w set status = 'expired', reason_code = 'venue_removed', nth = null,
      updated_at = ${at}
    from venue v where v.id = w.venue_id and w.nth is not null
      and (v.id = ${venueId}::uuid or (${venueId}::uuid is null and not v.is_test))`

/** Ends an entry for its agent; false if it has already ended. */
export const cancelWatch = (db: Db, id: string, at: Date) =>
  end(db, 'cancelled', sql`id = ${id}`, at)

/** Ends all entries of an account. Holds offered to them lapse. */
export const cancelEntriesOf = (tx: Db, accountId: string, at: Date) =>
  end(tx, 'cancelled', sql`account_id = ${accountId}`, at)

/** Ends the entry whose hold the agent has cancelled; false if no entry has this hold. */
export const cancelEntryOfHold = (tx: Db, holdId: string, at: Date) =>
  end(tx, 'cancelled', sql`hold_id = ${holdId}`, at)

/** Ends the entry whose hold has been confirmed; false if no entry has this hold. */
export const fulfilEntry = (tx: Db, holdId: string, at: Date) =>
  end(tx, 'fulfilled', sql`hold_id = ${holdId}`, at)

/**
 * Once an entry's hold is over: the entry waits again, behind all others, or ends if its time is up
 * or too many of its holds have lapsed (`missed` counts this one). False if no entry has the hold.
 */
export const endTurn = (tx: Db, holdId: string, { missed, at }: { missed: boolean; at: Date }) =>
  query.affectsRow(tx)`
    with missed as (
      select id, until, turns_missed + ${missed ? 1 : 0}::int as turns
      from waitlist_entry where hold_id = ${holdId} and status = 'offered'
    ), turn as (
      select id, turns, case when turns >= ${MAX_TURNS} then 'turns_missed'
        when until <= ${at} then 'time_over' end as reason
      from missed
    )
    update waitlist_entry w set turns_missed = turn.turns, hold_id = null, queued_at = ${at},
      updated_at = ${at}, status = case when turn.reason is null then 'watching' else 'expired' end,
      reason_code = turn.reason, nth = case when turn.reason is null then nth end
    from turn where w.id = turn.id and w.status = 'offered'`
