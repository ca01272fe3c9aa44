import type { DepositRule } from './deposit.ts'

/** One party per resource, a count of places, or no inventory at all. */
export const strategies = ['exclusive', 'pooled', 'on_request'] as const
export type Strategy = (typeof strategies)[number]

/** Local `HH:MM` on ISO weekday `day` (1 = Monday); a close past `24:00` is on the next day. */
export type OpeningWindow = { day: number; open: string; close: string }

/**
 * What an exclusive booking occupies: a resource of `kind` per party or per guest. A party too
 * large for any single resource may take a combination of up to `max_joined` (1 by default).
 */
export type Requirement = {
  kind: string
  per: 'party' | 'guest'
  max_joined?: number | undefined
}

export const MAX_JOINED = 6

/**
 * The rules of a service, immutable once stored. Money is in minor units of the venue's currency.
 * Slots start every `grid_minutes` from a window's opening and must end by its close.
 */
export type Rules = {
  windows: OpeningWindow[]
  grid_minutes: number
  /** Duration by party size, ascending: the first entry whose `party_max` suffices applies. */
  durations: { party_max: number; minutes: number }[]
  /** Time kept free after each booking of an exclusive resource. */
  buffer_minutes: number
  party_min: number
  party_max: number
  lead_minutes: number
  horizon_days: number
  /** How many minutes before the slot free cancellation ends. */
  cancel_cutoff_minutes: number
  spend_per_guest_minor: number
  /** Exclusive only: the resources that one booking needs. */
  requires: Requirement[]
  /** Pooled only: places per slot. */
  places: number
  /** When a deposit is asked for; by default, never. */
  deposits?: DepositRule[] | undefined
}

/** A date on which these windows replace the weekly ones; without windows it is closed. */
export type DayException = {
  date: string
  windows: { open: string; close: string }[]
  reason: string
}

export const DEFAULT_CANCEL_CUTOFF_MINUTES = 120
