import { DAY_MS } from '../../contract/rules/durations.ts'
import { deleteOldAuditEntries } from '../../platform/database/audit-log.ts'
import { continuePass } from '../../platform/database/continue-pass.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { deleteOldestEvents } from '../../webhooks/store/ledger-erasure.ts'
import * as stored from '../store/history.ts'

/** Rows per statement, so that none holds locks for long. */
const STEP = 1_000
/** Statements of a kind for one account in one pass, so that no account keeps others waiting. */
const MOST_STEPS = 10
/** Well within the timeout of an activity. */
const LONGEST_MS = 20_000

/**
 * Erases what nobody needs of bookings and requests that were over `days` ago: events, commands,
 * results of steps, refused requests, entries of the audit log and counters of past slots. For at
 * most 20 s, going on where the last pass ended; `next` is null when all accounts and offerings had
 * their turn.
 */
export async function eraseHistory(
  deps: { db: Pool; log: Log },
  days: number,
  at: Date,
  isOver: AbortSignal = AbortSignal.timeout(LONGEST_MS),
): Promise<Pass> {
  const { db } = deps
  const before = new Date(at.getTime() - days * DAY_MS)
  const accounts = await continuePass(
    deps,
    'history',
    {
      select: (after, limit) => stored.selectAccounts(db, { after, limit }),
      idOf: ({ id }) => id,
      help: ({ id }) => eraseHistoryOf(db, id, before, at),
    },
    isOver,
  )
  if (accounts.next !== null) return accounts
  const counters = await continuePass(
    deps,
    'counters',
    {
      select: (after, limit) => stored.selectOfferingIds(db, { after, limit }),
      idOf: ({ id }) => id,
      help: ({ id }) => inSteps((limit) => stored.deleteOldCounters(db, id, before, limit)),
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

/** Events first: they refer to the steps of bookings. False when there was nothing to erase. */
async function eraseHistoryOf(db: Pool, accountId: string, before: Date, at: Date) {
  const events = await inSteps((limit) => deleteOldestEvents(db, accountId, before, limit))
  const requests = await inSteps((limit) =>
    stored.deleteRefusedRequests(db, accountId, before, limit),
  )
  const bookings = await inSteps((limit) =>
    stored.deleteBookingHistories(db, accountId, { before, at, limit }),
  )
  const audit = await inSteps((limit) => deleteOldAuditEntries(db, accountId, before, limit))
  return events || requests || bookings || audit
}

async function inSteps(erase: (limit: number) => Promise<number>): Promise<boolean> {
  let erased = 0
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const count = await erase(STEP)
    erased += count
    if (count < STEP) break
  }
  return erased > 0
}
