import { memoryJournal, openJournal } from './journal.ts'
import type { BookingState, Confirm, Status, VenueMessage } from './messages.ts'
import type { Faults, Later } from './script.ts'

/**
 * The slot of a confirmation or amendment, with times as sent. There is no `answer_by` when an
 * amendment is being undone.
 */
export type Stay = Omit<Confirm, 'type' | 'booking_id' | 'revision' | 'venue_id'>

/**
 * A booking in the venue's book. `stay` is null after the cancellation of an unknown booking (a
 * tombstone). `change` is a requested amendment that the venue has not accepted; until then `stay`
 * applies.
 */
export type Booking = Omit<BookingState, 'type' | 'status'> & {
  venue_id: string
  status: KnownStatus
  stay: Stay | null
  change?: Change | undefined
}
type KnownStatus = Exclude<Status, 'unknown'>
type Change = Pick<BookingState, 'revision' | 'answered_at' | 'reason'> & {
  status: KnownStatus
  stay: Stay
}

/** One message about a booking, received or posted, and its outcome. */
type HistoryLine = {
  at: string
  type: string
  revision: number | null
  answered: string
  script?: unknown
}

/** A message that waits to be posted to the network. */
export type Post = {
  id: string
  url: string
  statement: VenueMessage
  faults: Faults
  /** how often to send the message */
  times: number
}

/** A message that the venue will send later. */
export type Plan = { id: string; booking_id: string; due: string; later: Later }

/** A journal entry: it replaces the earlier state of its subject. */
export type Entry =
  | { kind: 'booking'; booking: Booking }
  | { kind: 'line'; booking_id: string; line: HistoryLine }
  | { kind: 'seats'; venue_id: string; seats: number }
  | { kind: 'full'; venue_id: string; slot_times: string[]; full: boolean }
  | { kind: 'plan'; plan: Plan }
  | { kind: 'plan-done'; id: string }
  | { kind: 'post'; post: Post }
  | { kind: 'post-done'; id: string }

export type Venue = {
  seats: number
  full: Set<string>
  /** confirmed stays by booking id; they occupy seats */
  stays: Map<string, Stay>
  /** last availability report, ms since the epoch */
  lastAsOf: number
  /** learned from the network's requests */
  answerUrl?: string
  timezone?: string
}

const SEATS = 40

export type Book = {
  bookings: Map<string, Booking>
  history: Map<string, HistoryLine[]>
  plans: Map<string, Plan>
  posts: Map<string, Post>
  /** The known state of a venue; any id counts as a venue. */
  venue(id: string): Venue
  /** Applies in memory immediately and is durable once it resolves; answer only then. */
  write(...entries: Entry[]): Promise<void>
}

/** The book of all simulated venues, journaled in the folder, or in memory without one. */
export async function openBook(folder: string | undefined): Promise<Book> {
  const journal = folder === undefined ? memoryJournal<Entry>() : await openJournal<Entry>(folder)
  const venues = new Map<string, Venue>()
  const book: Book = {
    bookings: new Map(),
    history: new Map(),
    plans: new Map(),
    posts: new Map(),
    venue(id) {
      const existing = venues.get(id)
      if (existing) return existing
      const venue: Venue = { seats: SEATS, full: new Set(), stays: new Map(), lastAsOf: 0 }
      venues.set(id, venue)
      return venue
    },
    write(...entries) {
      for (const entry of entries) apply(book, entry)
      return journal.append(entries)
    },
  }
  for (const entry of journal.entries) apply(book, entry)
  return book
}

function apply(book: Book, entry: Entry): void {
  switch (entry.kind) {
    case 'booking': {
      const { booking } = entry
      book.bookings.set(booking.booking_id, booking)
      const venue = book.venue(booking.venue_id)
      venue.stays.delete(booking.booking_id)
      if (booking.stay === null) return
      if (booking.status === 'confirmed') venue.stays.set(booking.booking_id, booking.stay)
      venue.answerUrl = booking.stay.answer_url
      venue.timezone = booking.stay.timezone
      return
    }
    case 'line': {
      const lines = book.history.get(entry.booking_id)
      if (lines) lines.push(entry.line)
      else book.history.set(entry.booking_id, [entry.line])
      return
    }
    case 'seats':
      book.venue(entry.venue_id).seats = entry.seats
      return
    case 'full': {
      const { full } = book.venue(entry.venue_id)
      for (const slotTime of entry.slot_times)
        entry.full ? full.add(slotTime) : full.delete(slotTime)
      return
    }
    case 'plan':
      book.plans.set(entry.plan.id, entry.plan)
      return
    case 'plan-done':
      book.plans.delete(entry.id)
      return
    case 'post':
      book.posts.set(entry.post.id, entry.post)
      return
    case 'post-done':
      book.posts.delete(entry.id)
  }
}
