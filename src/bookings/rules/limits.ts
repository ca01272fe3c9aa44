import { DAY_MS, MINUTE_MS } from '../../base/durations.ts'
/** The limits of an account; null means unlimited. */
export type Limits = {
  /** bookings that occupy inventory, and watches that wait for it */
  live: number | null
  /** the same, for one venue and local date */
  perVenueDay: number | null
}

/** The default limits of an account that has never completed a booking. */
export const newcomerLimits: Limits = { live: 100, perVenueDay: 6 }

/** The limits of an account trusted by the operator. */
export const noLimits: Limits = { live: null, perVenueDay: null }

/** This many completed bookings allow one more per venue and day; each raises the total by one. */
const COMPLETED_PER_VENUE_DAY = 10
/** Completed bookings beyond this number do not count. */
export const MAX_COMPLETED = 1_000

/** The higher limits of an account that completes its bookings. */
export const grown = ({ live, perVenueDay }: Limits, completed: number): Limits => ({
  live: live === null ? null : live + completed,
  perVenueDay:
    perVenueDay === null ? null : perVenueDay + Math.floor(completed / COMPLETED_PER_VENUE_DAY),
})

/** How long a slot that an account gave back counts against it. */
export const RETURNS_COUNT_MS = DAY_MS
const MAX_WAIT_MINUTES = 60

/** An account that gives back a slot this often within a day must not take it again that day. */
const mostReturns = (perVenueDay: number): number => 2 * perVenueDay

/**
 * When an account may again take a slot that it held or booked and then gave back free of charge at
 * these times in the last day, newest first; null for immediately. Once an account has given back
 * half of its limit per venue and day, each further return makes it wait longer, from one minute to
 * an hour. At twice the limit, it must wait until one return is a day old.
 */
export function mayTakeAgainAt(returns: readonly Date[], perVenueDay: number): Date | null {
  const [newest] = returns
  const tooMany = returns.length - Math.ceil(perVenueDay / 2)
  if (!newest || tooMany < 0) return null
  const oldest = returns[mostReturns(perVenueDay) - 1]
  if (oldest) return new Date(oldest.getTime() + RETURNS_COUNT_MS)
  const minutes = Math.min(2 ** tooMany, MAX_WAIT_MINUTES)
  return new Date(newest.getTime() + minutes * MINUTE_MS)
}
