import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { BookingStatus } from '../../base/booking-status.ts'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { VenueSync } from '../rules/booking.ts'
import { ENTRY_DOMAIN, NO_ENTRY, type TimelineReason } from '../rules/timeline.ts'
import { arrivalAt, feeWords, syncWords } from '../rules/timeline-reasons.ts'
import { type TimelineEntry, timelineEntry } from '../schema/timeline.ts'

/** The end of a timeline, as recorded in the booking's locked row. */
type ChainEnd = { id: string; timeline_length: number; timeline_head: Buffer | null }

/** The reason for a step, and its changes. */
export type TimelineStep = TimelineReason & {
  to?: BookingStatus
  feeStatus?: keyof typeof feeWords
  venueSync?: VenueSync
}

/** A step's entry as JSON; `after` is the booking's state after the step. */
export function nextEntry(
  { id, timeline_length, timeline_head }: ChainEnd,
  { by, why, what, to, feeStatus: fee, venueSync: sync }: TimelineStep,
  { at, ...after }: { revision: number; status: BookingStatus; at: Date },
): string {
  const sentences = [to && arrivalAt[to], fee && feeWords[fee], sync && syncWords[sync]]
  const done = sentences.filter(Boolean).join(' ') || 'The booking was changed.'
  const facts = { number: timeline_length + 1, at: at.toISOString(), by, what: what ?? done, why }
  const previous = timeline_head?.toString('hex') ?? NO_ENTRY
  return JSON.stringify(chained(id, previous, { ...facts, ...after }))
}

/** For `update booking set`: makes `entry` the end of the timeline. */
export const setHead = (entry: string) =>
  sql`timeline_length = timeline_length + 1,
    timeline_head = decode(${entry}::jsonb ->> 'hash', 'hex')`

/** For the `where` of the same statement: whether `entry` comes next. */
export const isNext = (entry: string) =>
  sql`timeline_length + 1 = (${entry}::jsonb ->> 'number')::integer`

/** For the same statement: inserts `entry` for the booking in `changed`. */
export const writeEntry = (entry: string) => sql`entry as (
  insert into timeline_entry (booking_id, number, at, by, what, why, revision, status, previous,
    hash)
  select changed.id, e.number, e.at, e.by, e.what, e.why, e.revision, e.status,
    decode(e.previous, 'hex'), decode(e.hash, 'hex')
  from changed, jsonb_to_record(${entry}::jsonb) as e (number integer, at timestamptz, by text,
    what text, why text, revision integer, status text, previous text, hash text)
)`

/**
 * Adds an entry that leaves status and revision unchanged, such as a reminder. Part of a step's
 * transaction; throws if the timeline has changed since the lock, whereupon the step is retried.
 */
export async function appendToTimeline(
  tx: Db,
  booking: ChainEnd & { revision: number; status: BookingStatus },
  reason: TimelineReason,
  at: Date,
): Promise<void> {
  const { id, revision, status } = booking
  const entry = nextEntry(booking, reason, { revision, status, at })
  const count = await query.execute(tx)`
    with changed as (
      update booking set ${setHead(entry)} where id = ${id} and ${isNext(entry)} returning id
    ), ${writeEntry(entry)}
    select id from changed`
  if (count !== 1) throw new Error('the timeline has changed since the booking was read')
}

const hex = z.instanceof(Buffer).transform((bytes) => bytes.toString('hex'))

const beginning = z.object({
  is_booked: z.boolean(),
  length: z.int(),
  head: hex.nullable(),
  refusal: z.string().nullable(),
  refused_at: isoTime.nullable(),
})

const entryRow = timelineEntry.extend({ at: isoTime, previous: hex, hash: hex })

/** The timeline of the account's booking, with the head in the booking's row, or the refusal. */
export async function selectOptionalTimeline(db: Db, accountId: string, bookingId: string) {
  const row = await query.optionalRow(db, beginning)`
    select b.id is not null as is_booked, coalesce(b.timeline_length, 0) as length,
      b.timeline_head as head, r.answer #>> '{refusal,message}' as refusal,
      (select min(at) from transition t where t.booking_id = r.booking_id) as refused_at
    from request r left join booking b on b.id = r.booking_id
    where r.booking_id = ${bookingId} and r.account_id = ${accountId}`
  if (!row) return undefined
  // Entries are only ever added, so the entries up to this length led to the head.
  const entries = await query.rows(db, entryRow)`
    select number, at, by, what, why, revision, status, previous, hash from timeline_entry
    where booking_id = ${bookingId} and number <= ${row.length} order by number`
  return { ...row, entries }
}

/** The entry that follows `previous` in a booking's chain. */
export function chained(
  bookingId: string,
  previous: string,
  facts: Omit<TimelineEntry, 'previous' | 'hash'>,
): TimelineEntry {
  const linked = { ...facts, previous }
  return { ...linked, hash: hashOf(bookingId, linked) }
}

/** Whether these entries are complete, unchanged and in order, and lead to `head`. */
export function isIntact(bookingId: string, entries: readonly TimelineEntry[], head: string) {
  let last = NO_ENTRY
  for (const [index, { hash, ...linked }] of entries.entries()) {
    const follows = linked.number === index + 1 && linked.previous === last
    if (!follows || hashOf(bookingId, linked) !== hash) return false
    last = hash
  }
  return last === head
}

/** SHA-256 in hex of the domain and the canonical JSON (RFC 8785) of the booking id and entry. */
const hashOf = (bookingId: string, linked: Omit<TimelineEntry, 'hash'>): string =>
  createHash('sha256')
    .update(ENTRY_DOMAIN)
    .update(canonicalize({ booking_id: bookingId, ...linked }) ?? '')
    .digest('hex')
