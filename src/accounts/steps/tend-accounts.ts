import type { Pool } from '../../platform/database/sql.ts'
import { insertInvoicesDue } from '../store/plans.ts'
import { deleteOldCalls, deleteOldCounts } from '../store/request-log.ts'

const DAY_MS = 86_400_000
/** Rows of one statement: none of them holds a lock for long. */
const STEP = 5_000
/** So long each request of an account is listed, and their numbers by day are kept. */
const CALL_DAYS = 7
const COUNT_DAYS = 400

/** What one step did for accounts; `hasMore` while another one would find something. */
export type TendedStep = { invoices: number; calls: number; counts: number; hasMore: boolean }

/** Invoices the pro tier for a month that has begun, and erases a step of what accounts called long ago. */
export async function tendAccounts(
  db: Pool,
  proMonthlyMinor: number,
  at: Date,
): Promise<TendedStep> {
  const daysAgo = (days: number) => new Date(at.getTime() - days * DAY_MS)
  const invoices = await insertInvoicesDue(db, { at, proMonthlyMinor, limit: STEP })
  const calls = await deleteOldCalls(db, daysAgo(CALL_DAYS), STEP)
  const counts = await deleteOldCounts(db, daysAgo(COUNT_DAYS).toISOString().slice(0, 10), STEP)
  const done = { invoices, calls, counts }
  return { ...done, hasMore: Object.values(done).some((count) => count === STEP) }
}
