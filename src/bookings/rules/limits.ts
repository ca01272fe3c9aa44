import { DAY_MS, MINUTE_MS } from '../../base/durations.ts'
/** The limits of an account; null means unlimited. */
export type Limits = {
  /** bookings that occupy inventory, and watches that wait for some */
  live: number | null
  /** the same, at one venue on one local date */
  perVenueDay: number | null
}

/** The usual limits of an account that has not completed a booking. */
export const newcomerLimits: Limits = { live: 100, perVenueDay: 6 }

/** The limits of an account that the operator trusts. */
export const noLimits: Limits = { live: null, perVenueDay: null }

/** Completed bookings per extra booking at a venue and day; each also raises the total by one. */
const COMPLETED_PER_VENUE_DAY = 10
/** Maximum number of completed bookings that count. */
export const MAX_COMPLETED = 1_000

/** An account that completes its bookings may have more. */
export const grown = ({ live, perVenueDay }: Limits, completed: number): Limits => ({
  live: live === null ? null : live + completed,
  perVenueDay:
    perVenueDay === null ? null : perVenueDay + Math.floor(completed / COMPLETED_PER_VENUE_DAY),
})

/** How long a slot that an account gave back counts. */
export const RETURNS_COUNT_MS = DAY_MS
const MAX_WAIT_MINUTES = 60

/** An account that gives a slot back this often in a day may not take it again that day. */
const mostReturns = (perVenueDay: number): number => 2 * perVenueDay

/**
 * When an account may again take a slot that it held or booked and gave back free of charge at
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
