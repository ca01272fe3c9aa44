import { jittered } from './retry-schedule.ts'

const OPENS_AFTER = 5
const FIRST_GAP_MS = 5_000
const LONGEST_GAP_MS = 5 * 60_000

/** Failures of an endpoint in a row, and how many of them were probes: tries of one event while the others wait. */
export type Breaker = { failures: number; probes: number }

export const closedBreaker: Breaker = { failures: 0, probes: 0 }

/** What a run that knows nothing of the failures before it takes from an endpoint that waits for its next probe. */
export const openBreaker: Breaker = { failures: OPENS_AFTER, probes: 0 }

/** While it is open only the oldest due event is tried, one at a time; the others wait and spend no try. */
export const isOpen = ({ failures }: Breaker): boolean => failures >= OPENS_AFTER

/** One failure more. Requests that were under way when it opened count as failures, and not as probes. */
export const afterFailure = ({ failures, probes }: Breaker, wasProbe: boolean): Breaker => ({
  failures: failures + 1,
  probes: wasProbe ? probes + 1 : probes,
})

/**
 * Milliseconds until the next probe: 5 s, doubling to 5 minutes, each within ±20 % at `share`, from 0 up to 1, so that endpoints which die
 * together are not probed together.
 */
export const gapMs = ({ probes }: Breaker, share: number): number =>
  jittered(Math.min(FIRST_GAP_MS * 2 ** Math.min(probes, 10), LONGEST_GAP_MS), share)
