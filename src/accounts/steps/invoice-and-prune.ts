import { deleteLapsedNames } from '../../agents/store/agent-names.ts'
import { DAY_MS } from '../../contract/rules/durations.ts'
import { closeMonths } from '../../ledger/steps/close-months.ts'
import type { PassDeps } from '../../platform/database/continue-pass.ts'
import { eraseThrough, type Limit } from '../../platform/database/erase-through.ts'
import { deleteEndedThrottles } from '../../platform/database/throttle.ts'
import { deleteOldMails } from '../../platform/mail/dev-mailbox.ts'
import { eachStep } from '../../platform/process/work-through.ts'
import { PLACE_DAYS } from '../rules/sign-in.ts'
import { deleteExpiredSessions } from '../store/developer-sessions.ts'
import { deleteExpiredInvitations } from '../store/invitations.ts'
import { deleteExpiredTokens } from '../store/mailed-tokens.ts'
import { insertInvoicesDue } from '../store/plans.ts'
import { deleteOldCalls, deleteOldCounts } from '../store/request-log.ts'
import { deleteOldPlaces } from '../store/sign-in-places.ts'

/** Rows of a kind per call. */
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
 * old requests, ended sessions, links and limits, and names that are sent no longer. Each is done
 * whatever becomes of the others. `hasMore`: call again.
 */
export async function invoiceAndPruneAccounts(deps: PassDeps, proMonthlyMinor: number, at: Date) {
  const { db } = deps
  const daysAgo = (days: number) => new Date(at.getTime() - days * DAY_MS)
  const upTo = (step: string, erase: (limit: Limit) => Promise<number>) => async () =>
    (await eraseThrough(deps, { step, max: STEP, erase })).done
  const days = daysAgo(COUNT_DAYS).toISOString().slice(0, 10)
  const { closed, ...done } = await eachStep({
    invoices: upTo('pro-months', (limit) => insertInvoicesDue(db, { at, proMonthlyMinor, limit })),
    closed: () => closeMonths(deps, at),
    calls: upTo('old-calls', (limit) => deleteOldCalls(db, daysAgo(CALL_DAYS), limit)),
    counts: upTo('old-counts', (limit) => deleteOldCounts(db, days, limit)),
    sessions: upTo('ended-sessions', (limit) => deleteExpiredSessions(db, at, limit)),
    tokens: upTo('ended-tokens', (limit) => deleteExpiredTokens(db, at, limit)),
    places: upTo('old-places', (limit) => deleteOldPlaces(db, daysAgo(PLACE_DAYS), limit)),
    invitations: upTo('ended-invitations', (limit) =>
      deleteExpiredInvitations(db, daysAgo(LISTED_DAYS), limit),
    ),
    throttles: upTo('ended-throttles', (limit) => deleteEndedThrottles(db, at, limit)),
    names: upTo('lapsed-names', (limit) => deleteLapsedNames(db, at, limit)),
    mails: upTo('old-mails', (limit) => deleteOldMails(db, daysAgo(MAIL_DAYS), limit)),
  })
  const { invoices, calls, counts } = done
  const hasMore = closed.next !== null || Object.values(done).some((count) => count === STEP)
  return { invoices: invoices + closed.invoices, calls, counts, hasMore }
}
