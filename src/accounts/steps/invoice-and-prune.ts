import { deleteLapsedNames } from '../../agents/store/agent-names.ts'
import { DAY_MS } from '../../contract/rules/durations.ts'
import { closeMonths } from '../../ledger/steps/close-months.ts'
import type { Pool } from '../../platform/database/sql.ts'
import { deleteEndedThrottles } from '../../platform/database/throttle.ts'
import { deleteOldMails } from '../../platform/mail/dev-mailbox.ts'
import { PLACE_DAYS } from '../rules/sign-in.ts'
import { deleteExpiredSessions } from '../store/developer-sessions.ts'
import { deleteExpiredInvitations } from '../store/invitations.ts'
import { deleteExpiredTokens } from '../store/mailed-tokens.ts'
import { insertInvoicesDue } from '../store/plans.ts'
import { deleteOldCalls, deleteOldCounts } from '../store/request-log.ts'
import { deleteOldPlaces } from '../store/sign-in-places.ts'

/** Rows per statement, so that none holds locks for long. */
const STEP = 5_000
/** How long the requests of an account are listed, and their daily counts kept. */
const CALL_DAYS = 7
const COUNT_DAYS = 400
/** How long an invitation is listed after it has expired. */
const LISTED_DAYS = 30
/** How long the development mailbox keeps mails. */
const MAIL_DAYS = 7

/**
 * Charges the pro tier for the month of `at`, closes the months before it into invoices, and erases
 * old requests, ended sessions, links and
 * limits, and names that are sent no longer. `hasMore`: call again.
 */
export async function invoiceAndPruneAccounts(db: Pool, proMonthlyMinor: number, at: Date) {
  const daysAgo = (days: number) => new Date(at.getTime() - days * DAY_MS)
  const done = {
    invoices: await insertInvoicesDue(db, { at, proMonthlyMinor, limit: STEP }),
    calls: await deleteOldCalls(db, daysAgo(CALL_DAYS), STEP),
    counts: await deleteOldCounts(db, daysAgo(COUNT_DAYS).toISOString().slice(0, 10), STEP),
  }
  const closed = await closeMonths(db, { at })
  const ended = [
    await deleteExpiredSessions(db, at, STEP),
    await deleteExpiredTokens(db, at, STEP),
    await deleteOldPlaces(db, daysAgo(PLACE_DAYS), STEP),
    await deleteExpiredInvitations(db, daysAgo(LISTED_DAYS), STEP),
    await deleteEndedThrottles(db, at, STEP),
    await deleteLapsedNames(db, at, STEP),
    await deleteOldMails(db, daysAgo(MAIL_DAYS), STEP),
  ]
  const isFull = [...Object.values(done), ...ended].some((count) => count === STEP)
  const invoices = done.invoices + closed.invoices
  return { ...done, invoices, hasMore: isFull || closed.hasMore }
}
