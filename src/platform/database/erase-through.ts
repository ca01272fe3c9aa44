import sql, { type Sql } from 'sql-template-tag'
import { beginPass, LONGEST_MS, type Pass } from '../process/work-through.ts'
import type { Log } from '../telemetry/log.ts'
import type { PassDeps } from './continue-pass.ts'
import { recordFailing } from './failing-rows.ts'

/** What stands after `limit` in a statement: how many rows, or that and how many it passes over. */
export type Limit = number | Sql

/** Rows per statement, so that none holds locks for long. */
const ERASED_AT_ONCE = 1_000
/** After so many failures in a row it is not about rows. */
const MOST_FAILURES_IN_A_ROW = 20

type Erasure = { max?: number; erase(limit: Limit): Promise<number> }

/**
 * Erases rows, or changes them so that they are due no more, up to `max` and for at most 20 s. A
 * statement that fails is tried with fewer rows; a row that fails alone is passed over, and shown
 * to operators by its place among those that are due.
 */
export async function eraseThrough(
  { db, log }: PassDeps,
  { step, ...erasure }: Erasure & { step: string },
): Promise<Pass> {
  const { pass, failedRows } = await erasePast(log, erasure)
  await recordFailing(db, step, failedRows, { after: null, until: null })
  return pass
}

/** The same, and who calls it says what becomes of rows that failed. */
export async function erasePast(log: Log, { max = Number.POSITIVE_INFINITY, erase }: Erasure) {
  const isOver = AbortSignal.timeout(LONGEST_MS)
  const { pass, failedRows, fail } = beginPass(null, log)
  let size = ERASED_AT_ONCE
  let inARow = 0
  while (!isOver.aborted && pass.done < max) {
    const limit = Math.min(size, max - pass.done)
    try {
      const skipped = pass.failed > 0 ? sql`${limit} offset ${pass.failed}` : limit
      const erased = await erase(skipped)
      pass.done += erased
      if (erased < limit) break
      inARow = 0
      size = Math.min(ERASED_AT_ONCE, size * 10)
    } catch (error) {
      if (limit > 1) {
        size = Math.ceil(limit / 10)
        continue
      }
      inARow += 1
      if (inARow > MOST_FAILURES_IN_A_ROW) throw error
      fail(`${pass.failed + 1}`, error)
    }
  }
  return { pass, failedRows }
}
