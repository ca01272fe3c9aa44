/** Every status of a watch. `offered`: it has a hold to confirm. */
export const entryStatuses = ['watching', 'offered', 'fulfilled', 'cancelled', 'expired'] as const
export type EntryStatus = (typeof entryStatuses)[number]

/** The only moves there are; a hold that is let go leads back to `watching`. */
export const entryTransitions: Record<EntryStatus, readonly EntryStatus[]> = {
  watching: ['offered', 'cancelled', 'expired'],
  offered: ['watching', 'fulfilled', 'cancelled', 'expired'],
  fulfilled: [],
  cancelled: [],
  expired: [],
}

/** From where a watch can become this. */
export const entryStatusesBefore = (to: EntryStatus): EntryStatus[] =>
  entryStatuses.filter((from) => entryTransitions[from].includes(to))

/** Live watches of an account; `watch_limit` is the guarantee. */
export const MOST_WATCHES = 20
/** After so many holds that were let go a watch is over: a place must not be kept by somebody who never takes it. */
export const MOST_TURNS = 3
/** How far from the wanted time, either way, an offered slot may begin. */
export const MOST_FLEX_MINUTES = 120

/** Everything the workflow `watch` is started with, readable in the Temporal UI. */
export type EntryStart = {
  watchId: string
  accountId: string
  venueSlug: string
  venueName: string
  /** local to the venue, without offset */
  slotTime: string
  timezone: string
  /** RFC 3339 in UTC */
  startsAt: string
  partySize: number
}

/** Where a watch stands; `nextActionAt` is RFC 3339, null once it is over. */
export type EntryState = {
  status: EntryStatus
  nextActionAt: string | null
  holdId: string | null
}

/** The signal that a watch stands somewhere else now, which is written down already. */
export const ENTRY_CHANGED_SIGNAL = 'entryChanged'

/** What a look for places that appeared by themselves did: holds given, holds and watches whose workflow was started. */
export type WaitlistScan = { venues: number; offered: string[]; begun: string[]; told: string[] }
