import { z } from 'zod'
import {
  type Db,
  type Durability,
  execute,
  type Pool,
  queryOptionalRow,
  transaction,
} from './sql.ts'

const recorded = z.object({ result: z.unknown() })

/**
 * Runs one step of a booking exactly once: what `work` writes and its result commit together under `(booking, step)`. Whoever
 * runs the step again, at the same moment or after a crash, cannot commit, and gets the first result instead.
 */
export async function stepOnce<R>(
  pool: Pool,
  step: { bookingId: string; transitionId: string; at: Date },
  work: (tx: Db) => Promise<R>,
  durable?: Durability,
): Promise<R> {
  const { bookingId, transitionId, at } = step
  const run = async (tx: Db) => {
    const result = await work(tx)
    await execute(
      tx,
      'insert into transition (booking_id, transition_id, result, at) values ($1, $2, $3, $4)',
      [bookingId, transitionId, JSON.stringify(result), at],
    )
    return result
  }
  try {
    return await transaction(pool, run, durable)
  } catch (error) {
    const earlier = await queryOptionalRow(
      pool,
      recorded,
      'select result from transition where booking_id = $1 and transition_id = $2',
      [bookingId, transitionId],
    )
    if (earlier) return earlier.result as R
    throw error
  }
}
