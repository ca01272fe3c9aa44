import { DAY_MS } from '../../contract/rules/durations.ts'
import { nameInShard, whole } from '../../contract/rules/shards.ts'
import { deleteOldAuditEntries } from '../../platform/database/audit-log.ts'
import { continuePass, type PassDeps } from '../../platform/database/continue-pass.ts'
import { erasePast, type Limit } from '../../platform/database/erase-through.ts'
import { eachStep, type Pass } from '../../platform/process/work-through.ts'
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
 * most 20 s, going on where the last pass ended; `next` is null when all accounts and offerings of
 * the shard had their turn.
 */
export async function eraseHistory(
  deps: PassDeps,
  days: number,
  at: Date,
  { shard = whole, isOver = AbortSignal.timeout(LONGEST_MS) } = {},
): Promise<Pass> {
  const { db, log } = deps
  const before = new Date(at.getTime() - days * DAY_MS)
  const accounts = await continuePass(
    deps,
    nameInShard('history', shard),
    {
      select: (after, limit) => stored.selectAccounts(db, shard, { after, limit }),
      idOf: ({ id }) => id,
      help: ({ id }) => eraseHistoryOf(deps, id, before, at),
    },
    isOver,
  )
  if (accounts.next !== null) return accounts
  const counters = await continuePass(
    deps,
    nameInShard('counters', shard),
    {
      select: (after, limit) => stored.selectOfferingIds(db, shard, { after, limit }),
      idOf: ({ id }) => id,
      help: ({ id }) => eraseSome(log, (limit) => stored.deleteOldCounters(db, id, before, limit)),
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
 * Events first: they refer to the steps of bookings. A kind or a row that fails keeps no other from
 * its erasure. False when there was nothing to erase.
 */
async function eraseHistoryOf(
  { db, log }: PassDeps,
  accountId: string,
  before: Date,
  at: Date,
): Promise<boolean> {
  const erased = await eachStep({
    events: () => inSteps((limit) => deleteOldestEvents(db, accountId, before, limit)),
    requests: () =>
      eraseSome(log, (limit) => stored.deleteRefusedRequests(db, accountId, before, limit)),
    bookings: () =>
      eraseSome(log, (limit) =>
        stored.deleteBookingHistories(db, accountId, { before, at, limit }),
      ),
    audit: () => eraseSome(log, (limit) => deleteOldAuditEntries(db, accountId, before, limit)),
  })
  return Object.values(erased).some(Boolean)
}

/** Throws when it failed for a row, after it has erased the others. */
async function eraseSome(log: Log, erase: (limit: Limit) => Promise<number>): Promise<boolean> {
  const { pass, failedRows } = await erasePast(log, { max: MOST_STEPS * STEP, erase })
  if (failedRows[0]) throw new Error(failedRows[0].error)
  return pass.done > 0
}

/** Events are erased in the order of their numbers, and so none after one that cannot be. */
async function inSteps(erase: (limit: number) => Promise<number>): Promise<boolean> {
  let erased = 0
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const count = await erase(STEP)
    erased += count
    if (count < STEP) break
  }
  return erased > 0
}
