import { limitedAs } from '../../base/throttle.ts'
import type { Context } from '../../contract/operation.ts'
import { perDatabase } from '../../platform/database/cache.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { createFairQueue } from '../../platform/process/fair-queue.ts'

/** The share of connections available for finding venues: bookings never wait behind searches. */
const SHARE = 0.4
/** How many of a caller's searches can run at a time. */
const PER_CALLER = 1
const MAX_WAITING = 200
/** The cost of an uncached search, in units of a cached call; each word adds a lookup. */
const COST = 7
const COST_PER_WORD = 1

const queues = perDatabase(({ options }: Pool) => {
  const atOnce = Math.max(1, Math.floor(options.max * SHARE))
  return createFairQueue({ atOnce, perCaller: PER_CALLER, maxWaiting: MAX_WAITING })
})

/** Runs the uncached part of a search in turn: by account or, for keyless callers, by address. */
export const inSearchTurn = <T>(
  { db, account, address, charge }: Pick<Context, 'db' | 'account' | 'address' | 'charge'>,
  { words }: { words: number },
  work: () => Promise<T>,
): Promise<T> => {
  charge?.(COST + COST_PER_WORD * words)
  return queues(db)(account ? limitedAs(account) : address, work)
}
