import type { Context } from '../../contract/operation.ts'
import { createCache } from '../../platform/database/cache.ts'
import type { FoundVenues } from '../search/find-venues.ts'
import { requestedTimeOf } from '../search/interpret.ts'
import type { RequestedTime } from '../search/requested-time.ts'

/**
 * A block of found venues with everything that their slots depend on except what bookings take, which
 * is read for every answer (decision 0007).
 */
export type BlockPlan<S> = {
  at: Date
  found: FoundVenues
  foundAt: number
  requested: RequestedTime
  slots: S
}

/** A plan is never used longer: an operator who closes a day sees it closed within seconds. */
const MAX_AGE_MS = 5_000
/** With a million venues, finding them takes ten times as long as reading their rules. */
const FIND_AGAIN_MS = 30_000
/** Clocks of concurrent callers differ by as much as they waited. */
const CLOCK_SLACK_MS = 1_000

// biome-ignore lint/suspicious/noExplicitAny: the key decides what a plan holds
const plans = createCache<BlockPlan<any>>({ max: 2_000, ttlMs: 4_500, staleMs: MAX_AGE_MS })

/** The plan under this key, at most 5 s old; none of its candidates is too near to be booked. */
export function recentBlockPlan<S extends { lastCall: number }>(
  { db, at }: Context,
  key: readonly unknown[],
  find: () => Promise<FoundVenues>,
  planSlots: (found: FoundVenues, requested: RequestedTime) => Promise<S>,
): Promise<BlockPlan<S>> {
  const isCurrent = (plan: BlockPlan<S>) => {
    const age = at.getTime() - plan.at.getTime()
    return age > -CLOCK_SLACK_MS && age < MAX_AGE_MS && at.getTime() <= plan.slots.lastCall
  }
  const read = async (before?: BlockPlan<S>) => {
    const isFound = before && performance.now() - before.foundAt < FIND_AGAIN_MS
    const foundAt = isFound ? before.foundAt : performance.now()
    const found = isFound ? before.found : await find()
    const requested = requestedTimeOf(found, at)
    return { at, found, foundAt, requested, slots: await planSlots(found, requested) }
  }
  return plans(db, JSON.stringify(key), read, isCurrent)
}
