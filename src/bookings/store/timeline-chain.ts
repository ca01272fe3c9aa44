import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import {
  ENTRY_DOMAIN,
  NO_ENTRY,
  type TimelineEntry,
  type TimelineFacts,
} from '../rules/timeline.ts'

/** The entry that follows `previous` in the chain of a booking. */
export function chained(bookingId: string, previous: string, facts: TimelineFacts): TimelineEntry {
  const linked = { ...facts, previous }
  return { ...linked, hash: hashOf(bookingId, linked) }
}

/** Whether these are all the entries that lead to `head`, in their order and as they were written. */
export function isIntact(
  bookingId: string,
  entries: readonly TimelineEntry[],
  head: string,
): boolean {
  let last = NO_ENTRY
  for (const [index, { hash, ...linked }] of entries.entries()) {
    const follows = linked.number === index + 1 && linked.previous === last
    if (!follows || hashOf(bookingId, linked) !== hash) return false
    last = hash
  }
  return last === head
}

/** SHA-256, in hex, over the domain and the canonical JSON (RFC 8785) of what the entry states, bound to its booking. */
const hashOf = (bookingId: string, linked: Omit<TimelineEntry, 'hash'>): string =>
  createHash('sha256')
    .update(ENTRY_DOMAIN)
    .update(canonicalize({ booking_id: bookingId, ...linked }) ?? '')
    .digest('hex')
