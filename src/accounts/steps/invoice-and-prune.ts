import { lapsedNames } from '../../agents/store/agent-names.ts'
import { DAY_MS } from '../../base/durations.ts'
import { closeMonths } from '../../ledger/steps/close-months.ts'
import { type DueRows, eraseThrough, type PassDeps } from '../../platform/database/continue-pass.ts'
import type { PassName } from '../../platform/database/passes.ts'
import { endedThrottles } from '../../platform/database/throttle.ts'
import { oldMails } from '../../platform/mail/dev-mailbox.ts'
import { oldSentMails } from '../../platform/mail/mail-each.ts'
import { eachStep } from '../../platform/process/work-through.ts'
import { PLACE_DAYS } from '../rules/sign-in.ts'
import { endedSessions } from '../store/developer-sessions.ts'
import { endedInvitations } from '../store/invitations.ts'
import { endedTokens } from '../store/mailed-tokens.ts'
import { accountsToInvoice } from '../store/plans.ts'
import { oldCalls, oldCounts } from '../store/request-log.ts'
import { oldPlaces } from '../store/sign-in-places.ts'

/** Maximum rows of each kind per call. */
const STEP = 5_000
/** Days for which requests remain listed, and for which daily counts are stored. */
const CALL_DAYS = 7
const COUNT_DAYS = 400
/** Days for which an expired invitation remains listed. */
const LISTED_DAYS = 30
/** Days for which the development mailbox keeps emails. */
const MAIL_DAYS = 7
/** Days for which an email is kept after the last attempt to reach its remaining recipients. */
const SENT_DAYS = 2

/**
 * Charges the pro tier for the month of `at`, invoices earlier months, and erases old requests,
 * ended sessions, links, limits and unused names. A failing step does not stop the others. If
 * `hasMore`, call again.
 */
export async function invoiceAndPruneAccounts(deps: PassDeps, proMonthlyMinor: number, at: Date) {
  const daysAgo = (days: number) => new Date(at.getTime() - days * DAY_MS)
  const upTo = (step: PassName, rows: DueRows) => async () =>
    (await eraseThrough(deps, step, rows, STEP)).done
  const days = daysAgo(COUNT_DAYS).toISOString().slice(0, 10)
  const { closed, ...rowCounts } = await eachStep({
    invoices: upTo('pro-months', accountsToInvoice(at, proMonthlyMinor)),
    closed: () => closeMonths(deps, at),
    calls: upTo('old-calls', oldCalls(daysAgo(CALL_DAYS))),
    counts: upTo('old-counts', oldCounts(days)),
    sessions: upTo('ended-sessions', endedSessions(at)),
    tokens: upTo('ended-tokens', endedTokens(at)),
    places: upTo('old-places', oldPlaces(daysAgo(PLACE_DAYS))),
    invitations: upTo('ended-invitations', endedInvitations(daysAgo(LISTED_DAYS))),
    throttles: upTo('ended-throttles', endedThrottles(at)),
    names: upTo('lapsed-names', lapsedNames(at)),
    mails: upTo('old-mails', oldMails(daysAgo(MAIL_DAYS))),
    sent: upTo('sent-mails', oldSentMails(daysAgo(SENT_DAYS))),
  })
  const { invoices, calls, counts } = rowCounts
  const hasMore = closed.next !== null || Object.values(rowCounts).some((count) => count === STEP)
  return { invoices: invoices + closed.invoices, calls, counts, hasMore }
}
