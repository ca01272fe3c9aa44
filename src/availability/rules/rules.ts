import type { PriceUnit, ServiceKind, TaxTerms } from '../../base/venue-kinds.ts'
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
  /** the resource that the guest wishes for; never stored */
  wished?: string | undefined
}

export const MAX_JOINED = 6

/**
 * A class at its time: every ISO weekday `day`, or once on `date`, where it replaces a weekly one
 * that begins at the same time. `with` is the name of the resource that leads it.
 */
export type ClassSession = {
  day?: number | undefined
  date?: string | undefined
  start: string
  minutes: number
  places: number
  name?: string | undefined
  with?: string | undefined
  /** why it does not take place */
  cancelled?: string | undefined
}

/** The price of a service, or the lower end of its range; paid to the venue. */
export type ServicePrice = {
  amount_minor: number
  up_to_minor?: number | undefined
  per: PriceUnit
  /** whether it includes tax and service; absent if unknown */
  taxes?: TaxTerms | undefined
}

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
  kind?: ServiceKind | undefined
  description?: string | undefined
  price?: ServicePrice | undefined
  /** Lengths to choose from, the usual one first, in place of durations by party size. */
  lengths?: { minutes: number; amount_minor?: number | undefined }[] | undefined
  /** Pooled only: its slots, in place of windows and grid. */
  sessions?: ClassSession[] | undefined
  /** the name of the sessions that a guest wishes for, the only ones left; never stored */
  session?: string | undefined
  /** The kind of resource that a guest can wish for by name: a teacher, a therapist. */
  leader?: string | undefined
  /** When a deposit is asked for; by default, never. */
  deposits?: DepositRule[] | undefined
}

/** A date on which these windows replace the weekly ones; without windows it is closed. */
export type DayException = {
  date: string
  windows: { open: string; close: string }[]
  reason: string
  /** staff take no bookings after this time; `windows` is then empty and has no effect */
  until?: string | undefined
}

/** Whether a service has times at all; a withdrawn one has none. */
export const isOffered = ({ windows, sessions = [] }: Pick<Rules, 'windows' | 'sessions'>) =>
  windows.length > 0 || sessions.length > 0

export const DEFAULT_CANCEL_CUTOFF_MINUTES = 120
