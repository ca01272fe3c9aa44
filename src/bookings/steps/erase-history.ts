import { DAY_MS } from '../../base/durations.ts'
import { oldAuditEntries } from '../../platform/database/audit-log.ts'
import {
  continuePass,
  type DueRows,
  erasePast,
  type PassDeps,
} from '../../platform/database/continue-pass.ts'
import { eachStep, type Pass } from '../../platform/process/work-through.ts'
import { oldestEvents } from '../../webhooks/store/ledger-erasure.ts'
import * as stored from '../store/history.ts'

/** Maximum rows of each kind per account and pass, so that no account delays the others. */
const MAX_ROWS = 10_000
/** Well within the timeout of the activity. */
const MAX_MS = 20_000

/**
 * Erases what is no longer needed of bookings and requests that ended more than `days` ago: events,
 * commands, step results, refused requests, audit entries and counters of past slots. Runs for up
 * to 20 s from where the last pass ended; `next` is null once all is done.
 */
export async function eraseHistory(
  deps: PassDeps,
  days: number,
  at: Date,
  isOver = AbortSignal.timeout(MAX_MS),
): Promise<Pass> {
  const { db } = deps
  const before = new Date(at.getTime() - days * DAY_MS)
  const accounts = await continuePass(
    deps,
    'history',
    {
      select: (page) => stored.selectAccounts(db, page),
      idOf: ({ id }) => id,
      help: ({ id }) => eraseHistoryOf(deps, id, before, at),
    },
    isOver,
  )
  if (accounts.next !== null) return accounts
  const counters = await continuePass(
    deps,
    'counters',
    {
      select: (page) => stored.selectServiceIds(db, page),
      idOf: ({ id }) => id,
      help: ({ id }) => eraseSome(deps, stored.oldCounters(id, before)),
    },
    isOver,
  )
  return {
    done: accounts.done + counters.done,
    failed: accounts.failed + counters.failed,
    failures: [...accounts.failures, ...counters.failures],
    next: counters.next,
  }
}

/**
 * Erases events first, as they refer to the steps of bookings. A kind or row that fails does not
 * stop the others. Returns false if there was nothing to erase.
 */
async function eraseHistoryOf(
  deps: PassDeps,
  accountId: string,
  before: Date,
  at: Date,
): Promise<boolean> {
  const erased = await eachStep({
    events: () => eraseSome(deps, oldestEvents(accountId, before)),
    requests: () => eraseSome(deps, stored.refusedRequests(accountId, before)),
    bookings: () => eraseSome(deps, stored.bookingsOver(accountId, before, at)),
    audit: () => eraseSome(deps, oldAuditEntries(accountId, before)),
  })
  return Object.values(erased).some(Boolean)
}

/** After erasing what can be erased, throws an error that lists the failed rows. */
async function eraseSome(deps: PassDeps, rows: DueRows): Promise<boolean> {
  const { pass } = await erasePast(deps, rows, MAX_ROWS)
  if (pass.failed > 0) throw new Error(pass.failures.join('; '))
  return pass.done > 0
}
