import { DAY_MS } from '../../contract/rules/durations.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { insertInvoicesDue } from '../store/plans.ts'
import { deleteOldCalls, deleteOldCounts } from '../store/request-log.ts'

/** Rows per statement, so that none holds locks for long. */
const STEP = 5_000
/** How long the requests of an account are listed, and their daily counts kept. */
const CALL_DAYS = 7
const COUNT_DAYS = 400

/** Invoices the pro tier for the month of `at`, and erases old requests. `hasMore`: call again. */
export async function invoiceAndPruneAccounts(db: Pool, proMonthlyMinor: number, at: Date) {
  const daysAgo = (days: number) => new Date(at.getTime() - days * DAY_MS)
  const done = {
    invoices: await insertInvoicesDue(db, { at, proMonthlyMinor, limit: STEP }),
    calls: await deleteOldCalls(db, daysAgo(CALL_DAYS), STEP),
    counts: await deleteOldCounts(db, daysAgo(COUNT_DAYS).toISOString().slice(0, 10), STEP),
  }
  return { ...done, hasMore: Object.values(done).some((count) => count === STEP) }
}
