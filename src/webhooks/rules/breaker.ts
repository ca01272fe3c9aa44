import { MINUTE_MS, SECOND_MS } from '../../base/durations.ts'
import { jittered } from './retry-schedule.ts'

const OPENS_AFTER = 5
const FIRST_GAP_MS = 5 * SECOND_MS
const MAX_GAP_MS = 5 * MINUTE_MS

/** Consecutive failures of an endpoint, and how many of them were probes. */
export type Breaker = { failures: number; probes: number }

export const closedBreaker: Breaker = { failures: 0, probes: 0 }

/** Assumed when all we know is that the endpoint is waiting for a probe. */
export const openBreaker: Breaker = { failures: OPENS_AFTER, probes: 0 }

/** While open, only the oldest due event is tried, one at a time. Waiting costs no attempts. */
export const isOpen = ({ failures }: Breaker): boolean => failures >= OPENS_AFTER

/** Requests that were in flight when the breaker opened count as failures, not as probes. */
export const afterFailure = ({ failures, probes }: Breaker, wasProbe: boolean): Breaker => ({
  failures: failures + 1,
  probes: wasProbe ? probes + 1 : probes,
})

/** Time until the next probe: 5 s, doubling to 5 minutes. Jitter keeps endpoints apart. */
export const gapMs = ({ probes }: Breaker, share: number): number =>
  jittered(Math.min(FIRST_GAP_MS * 2 ** Math.min(probes, 10), MAX_GAP_MS), share)
