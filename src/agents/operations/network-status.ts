import { READING_LATE_MS } from '../../availability/rules/mirror.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { STUCK_MINUTES } from '../../bookings/rules/late.ts'
import { countStuckBookings } from '../../bookings/store/stuck-bookings.ts'
import { countReadings } from '../../confirmation/store/connectors.ts'
import { checkDatabase, type Db } from '../../platform/database/sql.ts'
import type { ServerState } from '../../platform/temporal/queues.ts'
import { selectWaitingEndpoints } from '../../webhooks/store/waiting-endpoints.ts'

/** `unknown`: the check failed or took too long. */
type PartState = 'up' | 'degraded' | 'down' | 'unknown'

/** One part of the network; `detail` is a sentence for people. */
type PartStatus = { name: string; state: PartState; detail: string }

/** The whole network; `state` is the state of its worst part. */
export type NetworkStatus = { state: PartState; asOf: string; parts: readonly PartStatus[] }

/** Due work counts as late after this many milliseconds. */
const LATE_MS = STUCK_MINUTES * MINUTE_MS
const BACKLOG_SECONDS = 60
const ANSWER_MS = 2_000
const MAX_COUNTED = 50

type Finding = Omit<PartStatus, 'name'>
type Deps = { db: Db; engine: Pick<ServerState, 'queues' | 'check'> }

/** Checks all parts concurrently, allowing each at most 2 s. Never throws. */
export async function readNetworkStatus(deps: Deps, at: Date): Promise<NetworkStatus> {
  const parts = await Promise.all(
    checks(deps, at).map(async ([name, check, whenSilent]) => ({
      name,
      ...(await within(check, whenSilent)),
    })),
  )
  const worst = (['down', 'degraded', 'unknown'] as const).find((state) =>
    parts.some((part) => part.state === state),
  )
  return { state: worst ?? 'up', asOf: at.toISOString(), parts }
}

type Check = [name: string, check: () => Promise<Finding>, whenSilent: PartState]

const checks = ({ db, engine }: Deps, at: Date): Check[] => {
  const before = (ms: number) => new Date(at.getTime() - ms)
  const bookings = () => countStuckBookings(db, at)
  const page = { after: null, limit: MAX_COUNTED }
  const endpoints = () => selectWaitingEndpoints(db, before(LATE_MS), page)
  const readings = () => countReadings(db, before(READING_LATE_MS))
  return [
    ['Database', () => timed(() => checkDatabase(db)), 'down'],
    ['Booking engine', () => timed(() => engine.check()), 'down'],
    ['Workers', async () => workersOf(await engine.queues()), 'unknown'],
    ['Bookings', async () => dueOf(await bookings(), 'booking'), 'unknown'],
    ['Webhooks', async () => dueOf((await endpoints()).length, 'endpoint'), 'unknown'],
    ['Venues’ own systems', async () => readingsOf(await readings()), 'unknown'],
  ]
}

async function timed(ask: () => Promise<unknown>): Promise<Finding> {
  const started = performance.now()
  await ask()
  return { state: 'up', detail: `Responds in ${Math.ceil(performance.now() - started)} ms.` }
}

type Queue = Awaited<ReturnType<ServerState['queues']>>[number]

function workersOf(queues: readonly Queue[]): Finding {
  const idle = queues.filter(({ workers }) => workers === 0)
  const behind = queues.filter(({ oldestSeconds }) => oldestSeconds > BACKLOG_SECONDS)
  if (idle.length > 0) {
    return { state: 'down', detail: `No worker takes tasks from ${namesOf(idle)}.` }
  }
  if (behind.length > 0) {
    const oldest = Math.max(...behind.map(({ oldestSeconds }) => oldestSeconds))
    return {
      state: 'degraded',
      detail: `Tasks wait in ${namesOf(behind)}, the oldest for ${oldest} s.`,
    }
  }
  return { state: 'up', detail: `Workers take tasks from all ${queues.length} queues.` }
}

const namesOf = (queues: readonly Queue[]) =>
  queues.map(({ name, kind }) => `${name} (${kind})`).join(', ')

function dueOf(count: number, what: string): Finding {
  if (count === 0)
    return { state: 'up', detail: `Nothing is more than ${STUCK_MINUTES} minutes late.` }
  const counted = count >= MAX_COUNTED ? `${MAX_COUNTED} or more ${what}s` : `${count} ${what}(s)`
  return {
    state: 'degraded',
    detail: `Work on ${counted} is more than ${STUCK_MINUTES} minutes late.`,
  }
}

function readingsOf(counts: Awaited<ReturnType<typeof countReadings>>): Finding {
  const { ok = 0, failed = 0, late = 0 } = Object.fromEntries(counts)
  if (ok + failed + late === 0) return { state: 'up', detail: 'None is connected.' }
  const detail = `${ok} read in time, ${failed} failed, ${late} late.`
  return { state: late > 0 || ok === 0 ? 'degraded' : 'up', detail }
}

async function within(check: () => Promise<Finding>, whenSilent: PartState): Promise<Finding> {
  const silent = { state: whenSilent, detail: `No response within ${ANSWER_MS / 1000} s.` }
  const deadline = Promise.withResolvers<Finding>()
  const timer = setTimeout(() => deadline.resolve(silent), ANSWER_MS)
  const failed = { state: whenSilent, detail: 'The check failed.' }
  const result = await Promise.race([check().catch(() => failed), deadline.promise])
  clearTimeout(timer)
  return result
}
