import {
  type OfferedServices,
  type Period,
  readServices,
} from '../../availability/store/party-services.ts'
import { DAY_MS } from '../../base/durations.ts'
import { isTest } from '../../contract/operation.ts'
import { createCache } from '../../platform/database/cache.ts'
import { type AskedServices, askedServices } from '../search/asked-services.ts'
import { type FoundVenues, findVenues, type Start } from '../search/find-venues.ts'
import { requestedTimeOf } from '../search/interpret.ts'
import type { SearchContext } from '../search/lexicon.ts'
import type { Around } from '../search/near.ts'
import { blockSize } from '../search/position.ts'
import { withFilters } from './filter-by-availability.ts'
import { inSearchTurn } from './search-turns.ts'

/** A block of found venues and their services: everything that rarely changes (decision 0007). */
type Search = { search: FoundVenues; foundAt: number }
export type BlockPlan = Search & AskedServices & { at: Date; offered: OfferedServices }

/** `size`: the number of venues, by default derived from `limit`; `date`: a filter. */
export type BlockRequest = {
  query: string
  around: Around
  start: Start | null
  size?: number | undefined
  limit?: number
  date?: string | undefined
}

/** Maximum age of a plan: when an operator closes a day, searches show it within seconds. */
const MAX_AGE_MS = 5_000
/** With a million venues, finding a block takes ten times as long as reading its rules. */
const FIND_AGAIN_MS = 30_000
/** Concurrent callers' clocks differ by the time that each has waited. */
const CLOCK_SLACK_MS = 1_000

const plans = createCache<BlockPlan>({ max: 2_000, ttlMs: 4_500, staleMs: MAX_AGE_MS })

/** The plan of a block, at most 5 s old. */
export function recentBlockPlan(ctx: SearchContext, request: BlockRequest): Promise<BlockPlan> {
  const { db, at } = ctx
  const clock = ctx.account?.clock_ahead_ms ?? null
  const { query, around, start, size, limit = 0, date } = request
  const isCurrent = (plan: BlockPlan) => {
    const age = at.getTime() - plan.at.getTime()
    return age > -CLOCK_SLACK_MS && age < MAX_AGE_MS
  }
  const find = () =>
    inSearchTurn(ctx, { words: query.split(/\s+/).length }, async () =>
      findVenues(db, await ctx.lexicon(isTest(ctx)), {
        query,
        around,
        sizeFor: (understood) => size ?? blockSize(understood, limit),
        start,
      }),
    )
  const read = async (before?: BlockPlan) => {
    const isFound = before && performance.now() - before.foundAt < FIND_AGAIN_MS
    const foundAt = isFound ? before.foundAt : performance.now()
    const search = isFound ? before.search : await find()
    const ids = search.venues.map(({ venue }) => venue.id)
    const period = weekAround(requestedTimeOf(withFilters(search, { date }), at).from ?? at)
    const offered = await readServices(db, ids, period, before?.offered)
    const isSame = search === before?.search && offered === before.offered
    const answered = isSame ? before : askedServices(offered, search)
    return { ...answered, at, search, foundAt, offered }
  }
  return plans(
    db,
    JSON.stringify([isTest(ctx), query, around, start, size ?? null, limit, date ?? null, clock]),
    read,
    isCurrent,
  )
}

/** The period whose slots matter from an instant onwards: a week, plus a day on either side. */
export const weekAround = (from: Date): Period => ({
  from: new Date(from.getTime() - DAY_MS),
  until: new Date(from.getTime() + 8 * DAY_MS),
})
