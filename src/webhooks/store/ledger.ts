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
  const rows = await queryRows(
    db,
    pageRow,
    `select c.last, to_jsonb(e) as event
     from (select coalesce((select last from event_counter where account_id = $1), 0) as last) c
     left join lateral (
       select id, number, type, data, created_at from event
       where account_id = $1 and number > $2 and number <= $3
         and ($4::text[] is null or type = any($4))
       order by number limit $5) e on true
     order by e.number`,
    [accountId, after, end, types, limit],
  )
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
  const rows = await queryRows(
    db,
    pageRow,
    `select c.last, to_jsonb(e) as event
     from (select coalesce((select last from event_counter where account_id = $1), 0) as last) c
     left join lateral (
       select id, number, type, data, created_at from event
       where account_id = $1 and number < coalesce($2::bigint, c.last + 1)
         and number >= coalesce($2::bigint, c.last + 1) - $5::bigint
         and ($3::text[] is null or type = any($3))
       order by number desc limit $4) e on true
     order by e.number desc`,
    [accountId, before, types, limit, WINDOW],
  )
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
  queryRows(
    db,
    eventRow,
    `select id, number, type, data, created_at from event
     where account_id = $1 and booking_id = $2 order by number limit $3`,
    [accountId, bookingId, MAX_EVENTS_OF_BOOKING],
  )

const lastRow = z.object({ account_id: z.uuid(), last: z.int() })

/** The last event number of each of these accounts that has any. */
export async function selectLastNumbers(
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queryRows(
    db,
    lastRow,
    'select account_id, last from event_counter where account_id = any($1::uuid[])',
    [accountIds],
  )
  return new Map(rows.map(({ account_id, last }) => [account_id, last]))
}
