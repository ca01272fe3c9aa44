import { MINUTE_MS } from '../../base/durations.ts'
import { Refusal } from '../../base/errors.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { createFairQueue } from '../../platform/process/fair-queue.ts'
import type { Reached } from '../rules/turns.ts'
import { selectOptionalOwner } from '../store/clocks.ts'
import { endTurn, takeTurn } from '../store/turns.ts'

/** Maximum clocks moving at the same time in a process, so that live bookings do not suffer. */
const CONCURRENCY = 4
/** Waiting clocks occupy activities, of which a worker runs 100 at a time. */
const MAX_WAITING = 40
const TIMEOUT_MS = 10_000
/** A turn takes seconds, so one this old belongs to a worker that has died. */
const MAX_MS = MINUTE_MS

/**
 * Lets clocks move in turn: accounts take turns within this process, and an account moves only one
 * clock at a time across processes. `busy`: the clock did not get its turn in time.
 */
export function createClockTurns(db: Pool) {
  const waiting = { maxWaiting: MAX_WAITING, patienceMs: TIMEOUT_MS }
  const inTurn = createFairQueue({ atOnce: CONCURRENCY, perCaller: 1, ...waiting })
  return async (clockId: string, move: () => Promise<Reached>): Promise<Reached> => {
    const owner = await selectOptionalOwner(db, clockId)
    if (owner === undefined) return 'ready'
    const moveAlone = async () => {
      const at = new Date()
      const until = new Date(at.getTime() + MAX_MS)
      if (!(await takeTurn(db, { owner, clockId, at, until }))) return 'busy'
      try {
        return await move()
      } finally {
        await endTurn(db, { owner, clockId })
      }
    }
    try {
      return await inTurn(owner, moveAlone)
    } catch (error) {
      if (error instanceof Refusal && error.data.code === 'overloaded') return 'busy'
      throw error
    }
  }
}
