import type { DepositRule } from './deposit.ts'

/** One party per resource, a counter of places, or no inventory at all. */
export const strategies = ['exclusive', 'pooled', 'on_request'] as const
export type Strategy = (typeof strategies)[number]

/** `HH:MM` local on ISO weekday `day` (1 = Monday); a close past `24:00` is on the next day. */
export type OpeningWindow = { day: number; open: string; close: string }

/**
 * The inventory of an exclusive booking: a resource of `kind` per party or per guest. A party too
 * large for any one may take a combination of up to `max_joined` (1 by default).
 */
export type Requirement = {
  kind: string
  per: 'party' | 'guest'
  max_joined?: number | undefined
}

export const MAX_JOINED = 6

/**
 * The rules of an offering, immutable once stored. Money is in minor units of the venue's currency.
 * Slots start every `grid_minutes` from a window's opening and must end by its close.
 */
export type Rules = {
  windows: OpeningWindow[]
  grid_minutes: number
  /** Duration by party size: the first entry whose `party_max` is at least the party. Ascending. */
  durations: { party_max: number; minutes: number }[]
  /** Free time after each booking of an exclusive resource. */
  buffer_minutes: number
  party_min: number
  party_max: number
  lead_minutes: number
  horizon_days: number
  /** Cancelling is free until this long before the slot. */
  cancel_cutoff_minutes: number
  spend_per_guest_minor: number
  /** Exclusive only: the resources of one booking. */
  requires: Requirement[]
  /** Pooled only: places per slot. */
  places: number
  /** When a deposit is asked for; never by default. */
  deposits?: DepositRule[] | undefined
}

/** A date on which these windows replace the weekly ones; closed without windows. */
export type DayException = {
  date: string
  windows: { open: string; close: string }[]
  reason: string
}

export const DEFAULT_CANCEL_CUTOFF_MINUTES = 120
