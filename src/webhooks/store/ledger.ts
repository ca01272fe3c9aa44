import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { isoTimeInJson } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { event } from '../schema/events.ts'
import { eventColumns, eventRow } from './events.ts'

/** How many numbers a page scans, however few match the filter. */
const WINDOW = 20_000
/** A booking's changes and reminders are limited, and so its events are too. */
const MAX_EVENTS_OF_BOOKING = 500

/** `types` null matches all. */
type PageOptions = { types: readonly string[] | null; limit: number }

const pageRow = z.object({
  last: z.int(),
  event: event.extend({ timestamp: isoTimeInJson }).nullable(),
})

/** A single statement reads the events and the last number, so no lower number can appear later. */
async function selectPage(
  db: Db,
  accountId: string,
  { types, limit }: PageOptions,
  { range, order }: { range: Sql; order: Sql },
) {
  const rows = await query.rows(db, pageRow)`
    select c.last, to_jsonb(e) as event
    from (select coalesce((
      select last from event_counter where account_id = ${accountId}), 0) as last) c
    left join lateral (
      select ${eventColumns} from event
      where account_id = ${accountId} and ${range}
        and (${types}::text[] is null or type = any(${types}))
      order by number ${order} limit ${limit}) e on true
    order by e.number ${order}`
  const events = rows.flatMap((row) => row.event ?? [])
  const end = events.length === limit ? events.at(-1)?.number : undefined
  return { events, end, last_number: rows[0]?.last ?? 0 }
}

/** The events numbered above `after`, up to `next_after`, in commit order. */
export async function selectLedgerPage(
  db: Db,
  accountId: string,
  { after, ...options }: PageOptions & { after: number },
) {
  const range = sql`number > ${after} and number <= ${after + WINDOW}`
  const { end, ...page } = await selectPage(db, accountId, options, { range, order: empty })
  const scanned = end ?? Math.min(after + WINDOW, page.last_number)
  return { ...page, next_after: Math.max(after, scanned) }
}

/** The events before `before` or, without it, the newest ones; in descending order. */
export async function selectOlderPage(
  db: Db,
  accountId: string,
  { before, ...options }: PageOptions & { before: number | null },
) {
  const upTo = sql`coalesce(${before}::bigint, c.last + 1)`
  const range = sql`number < ${upTo} and number >= ${upTo} - ${WINDOW}::bigint`
  const { end, ...page } = await selectPage(db, accountId, options, { range, order: sql`desc` })
  const scanned = end ?? (before ?? page.last_number + 1) - WINDOW
  return { ...page, next_before: scanned > 1 ? scanned : null }
}

/** All events of a booking, oldest first. */
export const selectEventsOfBooking = (db: Db, accountId: string, bookingId: string) =>
  query.rows(db, eventRow)`
    select ${eventColumns} from event
    where account_id = ${accountId} and booking_id = ${bookingId}
    order by number limit ${MAX_EVENTS_OF_BOOKING}`

const accountIdRow = z.object({ account_id: z.uuid(), last: z.int() })

/** The number of the last event of each of these accounts that has events. */
export async function selectLastNumbers(db: Db, accountIds: readonly string[]) {
  const rows = await query.rows(db, accountIdRow)`
    select account_id, last from event_counter where account_id = any(${accountIds}::uuid[])`
  return new Map(rows.map(({ account_id, last }) => [account_id, last]))
}
