import { z } from 'zod'
import { type Db, execute, type Pool, queryRow, transaction } from './sql.ts'

const recorded = z.object({ result: z.unknown() })

/**
 * Runs one step of a booking exactly once: `work` and its result commit together under `(booking, step)`.
 * Whoever runs the step again, at the same moment or after a crash, gets the first result and changes nothing.
 */
export async function stepOnce<R>(
  pool: Pool,
  step: { bookingId: string; transitionId: string; at: Date },
  work: (tx: Db) => Promise<R>,
): Promise<R> {
  const done = await transaction(pool, async (tx) => {
    const first = await execute(
      tx,
      `insert into transition (booking_id, transition_id, at) values ($1, $2, $3)
       on conflict do nothing`,
      [step.bookingId, step.transitionId, step.at],
    )
    if (first === 0) return undefined
    const result = await work(tx)
    await execute(
      tx,
      'update transition set result = $3 where booking_id = $1 and transition_id = $2',
      [step.bookingId, step.transitionId, JSON.stringify(result)],
    )
    return { result }
  })
  if (done) return done.result
  const earlier = await queryRow(
    pool,
    recorded,
    'select result from transition where booking_id = $1 and transition_id = $2',
    [step.bookingId, step.transitionId],
  )
  return earlier.result as R
}
