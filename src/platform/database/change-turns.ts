import { createFairQueue } from '../process/fair-queue.ts'
import { perDatabase } from './cache.ts'
import type { Pool } from './sql.ts'

/** How many changes to an account can hold connections at once; they lock the same rows. */
const ACCOUNTS_CONCURRENCY = 2
const MAX_WAITING = 200

const queues = perDatabase(({ options: { max } }: Pool) =>
  createFairQueue({ atOnce: max, perCaller: ACCOUNTS_CONCURRENCY, maxWaiting: MAX_WAITING }),
)

/**
 * Runs a change that locks its account. Waits for the account's turn before taking a connection, so
 * that an account waiting for its own lock does not delay others. Throws `overloaded`.
 */
export const inChangeTurn = <T>(
  db: Pool,
  accountId: string,
  change: () => Promise<T>,
): Promise<T> => queues(db)(accountId, change)
