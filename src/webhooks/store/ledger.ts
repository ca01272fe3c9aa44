import { z } from 'zod'
import { type Db, queryRows } from '../../platform/database/sql.ts'
import { type EventRow, eventRow } from './events.ts'

/** Numbers that one page scans, however few of them the filter matches. */
const WINDOW = 20_000
/** Changes and reminders of a booking are limited, and so are its events. */
const MAX_EVENTS_OF_BOOKING = 500

/**
 * A page of an account's ledger. Everything up to `nextAfter` was scanned. A reader that has
 * reached `last` has seen all.
 */
export type LedgerPage = { events: EventRow[]; nextAfter: number; last: number }

const pageRow = z.object({ last: z.int(), event: eventRow.nullable() })

/**
 * The events after `after`, in the order of numbers, which is the order of commits. One statement
 * reads events and the last number, so no number up to `last` can appear later.
 */
export async function selectLedgerPage(
  db: Db,
  accountId: string,
  { after, types, limit }: { after: number; types: readonly string[] | null; limit: number },
): Promise<LedgerPage> {
  const end = after + WINDOW
  const rows = await queryRows(db, pageRow)`
    select c.last, to_jsonb(e) as event
    from (select coalesce((select last from event_counter
      where account_id = ${accountId}), 0) as last) c
    left join lateral (
      select id, number, type, data, created_at from event
      where account_id = ${accountId} and number > ${after} and number <= ${end}
        and (${types}::text[] is null or type = any(${types}))
      order by number limit ${limit}) e on true
    order by e.number`
  const last = rows[0]?.last ?? 0
  const events = rows.flatMap(({ event }) => event ?? [])
  const isFull = events.length === limit
  const looked = isFull ? (events.at(-1)?.number ?? after) : Math.min(end, last)
  return { events, nextAfter: Math.max(after, looked), last }
}

/**
 * A page of the ledger backwards. The next page begins before `nextBefore`; null at the beginning
 * of the ledger.
 */
export type OlderPage = { events: EventRow[]; nextBefore: number | null; last: number }

/** The events before `before`, or the newest of all, newest first. */
export async function selectOlderPage(
  db: Db,
  accountId: string,
  {
    before,
    types,
    limit,
  }: { before: number | null; types: readonly string[] | null; limit: number },
): Promise<OlderPage> {
  const rows = await queryRows(db, pageRow)`
    select c.last, to_jsonb(e) as event
    from (select coalesce((select last from event_counter
      where account_id = ${accountId}), 0) as last) c
    left join lateral (
      select id, number, type, data, created_at from event
      where account_id = ${accountId} and number < coalesce(${before}::bigint, c.last + 1)
        and number >= coalesce(${before}::bigint, c.last + 1) - ${WINDOW}::bigint
        and (${types}::text[] is null or type = any(${types}))
      order by number desc limit ${limit}) e on true
    order by e.number desc`
  const last = rows[0]?.last ?? 0
  const events = rows.flatMap(({ event }) => event ?? [])
  const oldest = events.length === limit ? events.at(-1)?.number : undefined
  const looked = oldest ?? (before ?? last + 1) - WINDOW
  return { events, nextBefore: looked > 1 ? looked : null, last }
}

/** All events of one booking, oldest first. */
export const selectEventsOfBooking = (
  db: Db,
  accountId: string,
  bookingId: string,
): Promise<EventRow[]> =>
  queryRows(db, eventRow)`
    select id, number, type, data, created_at from event
    where account_id = ${accountId} and booking_id = ${bookingId} order by number
      limit ${MAX_EVENTS_OF_BOOKING}`

const lastRow = z.object({ account_id: z.uuid(), last: z.int() })

/** The last event number of each of these accounts that has any. */
export async function selectLastNumbers(
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queryRows(db, lastRow)`
    select account_id, last from event_counter where account_id = any(${accountIds}::uuid[])`
  return new Map(rows.map(({ account_id, last }) => [account_id, last]))
}
