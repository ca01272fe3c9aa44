import { DAY_MS, MINUTE_MS } from '../../base/durations.ts'
/** What an account may have at a time. null: as much as it wants. */
export type Limits = {
  /** bookings that occupy inventory, and watches that wait for it */
  live: number | null
  /** of these, at one venue on one local date */
  perVenueDay: number | null
}

/** The usual limits of an account that has completed no booking. */
export const newcomerLimits: Limits = { live: 100, perVenueDay: 6 }

/** For an account that the operator trusts. */
export const noLimits: Limits = { live: null, perVenueDay: null }

/** Completed bookings that raise the limit per venue and day by one; each raises the other. */
const COMPLETED_PER_VENUE_DAY = 10
/** Completed bookings that count. */
export const MAX_COMPLETED = 1_000

/** An account that keeps its bookings may have more. */
export const grown = ({ live, perVenueDay }: Limits, completed: number): Limits => ({
  live: live === null ? null : live + completed,
  perVenueDay:
    perVenueDay === null ? null : perVenueDay + Math.floor(completed / COMPLETED_PER_VENUE_DAY),
})

/** How long it counts that an account has given a slot back. */
export const RETURNS_COUNT_MS = DAY_MS
const MAX_WAIT_MINUTES = 60

/** Times in a day after which an account that gives a slot back may not take it again. */
const mostReturns = (perVenueDay: number): number => 2 * perVenueDay

/**
 * When an account may take a slot again that it has held or booked and given back free of charge at
 * these times of the last day, newest first; null for at once. From half of its limit per venue and
 * day on, each time costs a longer wait, from one minute to an hour. After twice the limit the slot
 * stays closed to the account until one of them is a day old.
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
