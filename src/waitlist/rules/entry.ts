import type { Wish } from '../../availability/rules/service-terms.ts'
import type { OfAccount, OnClock } from '../../base/account-time.ts'
import { type EntryStatus, entryStatuses } from './entry-status.ts'

/** A hold that lapses takes the entry back to `watching`. */
export const entryTransitions: Record<EntryStatus, readonly EntryStatus[]> = {
  watching: ['offered', 'cancelled', 'expired'],
  offered: ['watching', 'fulfilled', 'cancelled', 'expired'],
  fulfilled: [],
  cancelled: [],
  expired: [],
}

/** The statuses from which an entry can change to `to`. */
export const entryStatusesBefore = (to: EntryStatus): EntryStatus[] =>
  entryStatuses.filter((from) => entryTransitions[from].includes(to))

/** Maximum live entries per account. The constraint behind `watch_limit` enforces it. */
export const MAX_WATCHES = 20
/** How many holds an entry can let lapse: places should not go to those who never take them. */
export const MAX_TURNS = 3
/** Maximum distance of an offered slot from the wanted time, either way. */
export const MAX_FLEX_MINUTES = 120

/** The input of the workflow `waitlistEntry`, readable in the Temporal UI. */
export type EntryStart = OfAccount &
  OnClock &
  Wish & {
    entryId: string
    venueSlug: string
    venueName: string
    /** local to the venue, without offset */
    slotTime: string
    timezone: string
    /** RFC 3339 in UTC */
    startsAt: string
    partySize: number
  }

/** `nextActionAt` is RFC 3339, null once the entry has ended. */
export type EntryState = { status: EntryStatus; nextActionAt: string | null; holdId: string | null }

/** The signal that the stored status of an entry has changed. */
export const ENTRY_CHANGED_SIGNAL = 'entryChanged'

/**
 * What a scan did: the holds it offered, the lost holds it started, the entries it notified, and
 * its failures: the id of a venue, hold or entry, with the reason.
 */
export type WaitlistScan = {
  venues: number
  offered: string[]
  started: number
  notified: number
  failures: string[]
}
