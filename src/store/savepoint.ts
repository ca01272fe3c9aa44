import type { Db } from './sql.ts'

/** Runs `work` inside a transaction so that its own writes are undone, and nothing else, when it answers undefined or throws. */
export async function withSavepoint<T>(
  tx: Db,
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  await tx.query('savepoint attempt')
  let done: T | undefined
  try {
    done = await work()
    return done
  } finally {
    if (done === undefined) await tx.query('rollback to savepoint attempt')
    await tx.query('release savepoint attempt')
  }
}
