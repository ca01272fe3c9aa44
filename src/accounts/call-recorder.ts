import { Refusal } from '../contract/rules/errors.ts'
import type { Db } from '../platform/database/sql.ts'
import { isPassing } from '../platform/database/unavailable.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { loggable } from '../platform/telemetry/loggable.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { insertCalls, type LoggedCall } from './store/request-log.ts'

const FLUSH_MS = 1_000
/** As long as the database is away, so many are kept in memory; then the oldest go. */
const MOST_WAITING = 10_000
/** Refusals of a limit can come in any number: those of a second are one entry. */
const limitCodes: readonly string[] = ['quota_exceeded', 'rate_limited', 'overloaded']

/** Writes down the calls of accounts beside them: who notes a call never waits, and at most one statement a second is sent. */
export type CallRecorder = {
  note(call: Omit<LoggedCall, 'calls'>): void
  /** Writes what is left; what cannot be written then is lost. */
  stop(): Promise<void>
}

/** Loses calls only when the database takes none for long or refuses them for good, and counts how many. */
export function createCallRecorder(
  db: Db,
  { metrics, log }: { metrics: Pick<Metrics, 'lostCalls'>; log: Log },
): CallRecorder {
  let waiting: LoggedCall[] = []
  let refusals = new Map<string, LoggedCall>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const lose = (entries: readonly LoggedCall[]) => {
    for (const entry of entries) {
      metrics.lostCalls.inc(entry.calls)
      // What is not written any more can count for no other.
      const about = aboutOf(entry)
      if (refusals.get(about) === entry) refusals.delete(about)
    }
  }
  const loseOldest = (count: number) => lose(waiting.splice(0, count))
  const keep = (calls: readonly LoggedCall[]) => {
    waiting = [...calls, ...waiting]
    if (waiting.length > MOST_WAITING) loseOldest(waiting.length - MOST_WAITING)
  }

  /** Whether there is an entry like this one in the same second, which then counts for both. */
  const joins = (call: LoggedCall): boolean => {
    const about = aboutOf(call)
    const earlier = refusals.get(about)
    if (earlier) earlier.calls += 1
    else refusals.set(about, call)
    return earlier !== undefined
  }

  async function write(): Promise<void> {
    refusals = new Map()
    const calls = waiting.splice(0)
    if (calls.length === 0) return
    try {
      await insertCalls(db, calls)
    } catch (error) {
      if (isPassing(error) || error instanceof Refusal) return keep(calls)
      lose(calls)
      log.error({ calls: calls.length, error: loggable(error) }, 'calls were not written down')
    }
  }

  const schedule = () => {
    timer ??= setTimeout(async () => {
      writing = write()
      await writing
      timer = undefined
      if (waiting.length > 0) schedule()
    }, FLUSH_MS)
  }

  return {
    note(call) {
      const entry = { ...call, calls: 1 }
      if (limitCodes.includes(call.code) && joins(entry)) return
      if (waiting.length === MOST_WAITING) loseOldest(1)
      waiting.push(entry)
      schedule()
    },
    async stop() {
      clearTimeout(timer)
      await writing
      await write()
      loseOldest(waiting.length)
    },
  }
}

/** What refusals of a second must have in common to be one entry. */
const aboutOf = ({ account_id, key_id, door, operation, code, from_agent }: LoggedCall) =>
  JSON.stringify([account_id, key_id, door, operation, code, from_agent])
