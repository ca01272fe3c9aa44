import { DAY_MS, MINUTE_MS } from '../../contract/rules/durations.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import { selectCheckedUntil, updateCheckedUntil } from '../store/breaches.ts'
import type { BreachCandidate, Find } from '../store/candidates.ts'
import { findDoubleSales } from '../store/double-sales.ts'
import * as answers from '../store/late-answers.ts'
import * as recoveries from '../store/missing-recoveries.ts'
import { findSentLate, findUnsent } from '../store/unsent-events.ts'
import { creditBreach } from './credit-breach.ts'

const finds: readonly Find[] = [
  answers.findUnanswered,
  answers.findAnsweredLate,
  answers.findVenueOverdue,
  answers.findDecidedLate,
  recoveries.findUnrecovered,
  recoveries.findNotRecovered,
  recoveries.findSilentVenues,
  findUnsent,
  findSentLate,
  findDoubleSales,
]

/** Per query and pass; the next pass goes on. */
const AT_A_TIME = 200
/**
 * Looks back so far beyond the last pass: the longest of the promises, and the time between writing
 * an id and committing it. What a pass could not see, because it was not over, the next one sees.
 */
const OVERLAP_MS = 5 * MINUTE_MS
const FIRST_LOOK_MS = DAY_MS

type Deps = { db: Pool; log: Log }

/**
 * Finds promises that were broken, by looking at stored rows alone, and credits each once. However
 * often and wherever it runs, it finds the same.
 */
export async function findBreaches({ db, log }: Deps, at: Date): Promise<Pass> {
  const checkedUntil = await selectCheckedUntil(db)
  const since = new Date(
    checkedUntil
      ? Math.min(checkedUntil.getTime(), at.getTime()) - OVERLAP_MS
      : at.getTime() - FIRST_LOOK_MS,
  )
  const pass: Pass = { done: 0, failed: 0, failures: [], next: null }
  let isWhole = true
  for (const find of finds) {
    const found = await find(db, { since, at, limit: AT_A_TIME })
    if (found.length === AT_A_TIME) isWhole = false
    for (const one of found) await credit({ db, log }, one, at, pass)
  }
  if (isWhole && pass.failed === 0) await updateCheckedUntil(db, at)
  return pass
}

async function credit({ db, log }: Deps, found: BreachCandidate, at: Date, pass: Pass) {
  const { booking_id, finding } = found
  try {
    if (!(await creditBreach(db, found, at))) return
    pass.done += 1
    log.warn({ booking_id, finding }, 'a promise of the guarantee was broken')
  } catch (error) {
    pass.failed += 1
    pass.failures.push(`${booking_id}: ${error instanceof Error ? error.message : error}`)
    log.warn({ booking_id, finding, error: loggable(error) }, 'could not record a breach')
  }
}
