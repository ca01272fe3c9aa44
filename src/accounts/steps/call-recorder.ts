import { Refusal } from '../../base/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { isTransient } from '../../platform/database/unavailable.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { type CallDetails, insertCalls, type RequestLogEntry } from '../store/request-log.ts'

const FLUSH_MS = 1_000
/** Maximum calls kept in memory while the database is down; beyond that, the oldest are dropped. */
const MAX_WAITING = 10_000
/** Only this many of the newest keep their bodies, which can be 16 kB each. */
const MAX_WAITING_BODIES = 500
/** Bodies recorded per second. Refused calls have separate allowances of the same size. */
const ACCOUNT_BODIES = 20
const PROCESS_BODIES = 100
/** Refusals with these codes can be frequent, so equal ones within a second become one entry. */
const limitCodes: readonly string[] = [
  'address_not_allowed',
  'account_suspended',
  'quota_exceeded',
  'rate_limited',
  'account_rate_limited',
  'too_many_in_flight',
  'overloaded',
]

export type CallRecorder = ReturnType<typeof createCallRecorder>

/** Describes a call for the log, with or without bodies. Can be called after the answer is sent. */
export type Describe = (hasBodies: boolean) => CallDetails

const bodyless = { sent: undefined, answer: undefined } as const

/**
 * Records accounts' calls in the background: one statement a second, without delaying callers.
 * Calls are lost only if the database is down for long or rejects them, and losses are counted.
 */
export function createCallRecorder(
  db: Db,
  { metrics, log }: { metrics: Pick<Metrics, 'lostCalls'>; log: Log },
) {
  let waiting: RequestLogEntry[] = []
  let refusals = new Map<string, RequestLogEntry>()
  let bodies = countBodies()
  const described = new Map<RequestLogEntry, () => CallDetails>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const lose = (entries: readonly RequestLogEntry[]) => {
    for (const entry of entries) {
      metrics.lostCalls.inc(entry.calls)
      const signature = signatureOf(entry)
      if (refusals.get(signature) === entry) refusals.delete(signature)
    }
  }
  const loseOldest = (count: number) => lose(waiting.splice(0, count))
  const keep = (calls: readonly RequestLogEntry[]) => {
    for (const call of calls.slice(0, -MAX_WAITING_BODIES)) Object.assign(call, bodyless)
    waiting = [...calls, ...waiting]
    if (waiting.length > MAX_WAITING) loseOldest(waiting.length - MAX_WAITING)
  }

  /** Merges a call into an equal entry from the same second, if there is one. */
  const isMerged = (call: RequestLogEntry) => {
    const signature = signatureOf(call)
    const earlier = refusals.get(signature)
    if (earlier) earlier.calls += 1
    else refusals.set(signature, call)
    return earlier !== undefined
  }

  /** The cost grows with the bodies, so this runs after the answer is sent. */
  const describe = (entry: RequestLogEntry) => {
    const details = described.get(entry)
    described.delete(entry)
    try {
      Object.assign(entry, details?.())
    } catch (error) {
      log.error({ request_id: entry.request_id, error: loggable(error) }, 'call not described')
    }
  }

  async function write() {
    refusals = new Map()
    bodies = countBodies()
    const calls = waiting.splice(0)
    calls.forEach(describe)
    if (calls.length === 0) return
    try {
      await insertCalls(db, calls)
    } catch (error) {
      if (isTransient(error) || error instanceof Refusal) return keep(calls)
      lose(calls)
      log.error({ calls: calls.length, error: loggable(error) }, 'calls were not recorded')
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
    note(call: Omit<RequestLogEntry, 'calls'>, details?: Describe) {
      const entry: RequestLogEntry = { ...call, calls: 1 }
      if (limitCodes.includes(call.code) && isMerged(entry)) return
      if (details) {
        const hasBodies = bodies.admit(entry)
        described.set(entry, () => details(hasBodies))
        setImmediate(describe, entry)
      }
      if (waiting.length === MAX_WAITING) loseOldest(1)
      waiting.push(entry)
      schedule()
    },
    /** Writes the remaining calls; any that cannot be written now are lost. */
    async stop() {
      clearTimeout(timer)
      await writing
      await write()
      loseOldest(waiting.length)
    },
  }
}

/** Limits how many bodies are kept each second, so that a flood of calls costs little. */
function countBodies() {
  const counts = new Map<string, number>()
  const take = (who: string) => {
    const count = (counts.get(who) ?? 0) + 1
    counts.set(who, count)
    return count
  }
  return {
    admit({ account_id, code }: RequestLogEntry) {
      const share = code === 'ok' ? 'ok' : 'refused'
      if (take(`${share} ${account_id}`) > ACCOUNT_BODIES) return false
      return take(share) <= PROCESS_BODIES
    },
  }
}

/** Calls with the same signature within a second become one entry. */
const signatureOf = ({ account_id, key_id, door, operation, code, from_agent }: RequestLogEntry) =>
  JSON.stringify([account_id, key_id, door, operation, code, from_agent])
