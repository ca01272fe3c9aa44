/** How an offering's inventory is guarded: one party per resource, places in a counter, or not at all. */
export const strategies = ['exclusive', 'pooled', 'on_request'] as const
export type Strategy = (typeof strategies)[number]

/** Open from `open` to `close`, `HH:MM` local on ISO weekday `day` (1 = Monday); a close past `24:00` runs into the next day. */
export type OpeningWindow = { day: number; open: string; close: string }

/**
 * What an exclusive booking takes: a resource of `kind`, once per party or once per guest. A party for which none is large enough
 * may take up to `max_joined` of them that can be joined; 1 if left out.
 */
export type Requirement = {
  kind: string
  per: 'party' | 'guest'
  max_joined?: number | undefined
}

/** Joining more than this is furniture moving. */
export const MOST_JOINED = 6

/**
 * The rules of an offering, immutable once stored. Times are minutes, money is integer minor units of the venue's currency.
 * Slots start every `grid_minutes` from a window's opening and must end by its close.
 */
export type Rules = {
  windows: OpeningWindow[]
  grid_minutes: number
  /** Duration by party size: the first entry whose `party_max` is at least the party. Ascending. */
  durations: { party_max: number; minutes: number }[]
  /** Kept free after each booking of an exclusive resource. */
  buffer_minutes: number
  party_min: number
  party_max: number
  lead_minutes: number
  horizon_days: number
  /** A booking can be cancelled without its fee until this long before the slot. */
  cancel_cutoff_minutes: number
  spend_per_guest_minor: number
  /** Exclusive only: what one booking takes. */
  requires: Requirement[]
  /** Pooled only: places per slot. */
  places: number
}

/** A day on which the weekly windows do not hold: closed, or open in other windows (local `HH:MM`, close may pass 24:00). */
export type DayException = {
  date: string
  windows: { open: string; close: string }[]
  reason: string
}

/** The cut-off of an offering whose venue names none. */
export const DEFAULT_CANCEL_CUTOFF_MINUTES = 120
