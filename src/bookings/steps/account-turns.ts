import { type OfAccount, turnOf } from '../../base/account-time.ts'
import { perDatabase } from '../../platform/database/cache.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { createFairQueue } from '../../platform/process/fair-queue.ts'

/** How many of an account's steps may run concurrently in workflow tasks, sharing connections. */
const IN_TASK_CONCURRENCY = 3
/** Waiting steps also occupy workflow tasks, of which a worker runs 60 at a time. */
const MAX_IN_TASK = 25
/** How many other steps of an account may run at once as activities; a worker runs 100 in all. */
const ACTING_CONCURRENCY = 2

const inTasks = perDatabase(({ options: { max } }: Pool) =>
  createFairQueue({ atOnce: max, perCaller: IN_TASK_CONCURRENCY, maxWaiting: MAX_IN_TASK }),
)
const actions = perDatabase(({ options: { max } }: Pool) =>
  createFairQueue({
    atOnce: max,
    perCaller: ACTING_CONCURRENCY,
    maxWaiting: Number.POSITIVE_INFINITY,
  }),
)

type Turn = <T>(db: Pool, of: OfAccount, step: () => Promise<T>) => Promise<T>

/**
 * Runs a step within a workflow task when it is its account's turn. A step takes no connection
 * before then, so that an account waiting for its own lock does not delay others. Throws
 * `overloaded` if too many of the account's steps are waiting, or this one has waited too long.
 */
export const inTaskTurn: Turn = (db, of, step) => inTasks(db)(turnOf(of), step)

/** Runs a step in an activity when it is its account's turn; any number of steps may wait. */
export const inTurn: Turn = (db, of, step) => actions(db)(turnOf(of), step)
