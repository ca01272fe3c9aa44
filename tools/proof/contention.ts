import type { BookingStatus } from '../../src/base/booking-status.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import {
  type Arena,
  addArena,
  contendedKinds,
  kindsNamed,
  roomyKind,
  serviceIn,
  servicesOf,
} from './arena.ts'
import { addTo, type Histogram } from './histogram.ts'
import type { KnownBooking } from './known-booking.ts'
import { fits, type Operation, operations } from './operations.ts'
import { type Concurrency, trackOverlap } from './overlap.ts'
import type { RequestedSlot } from './predictions.ts'
import { type Random, randomFrom } from './random.ts'
import { sessionOperations } from './session-operations.ts'
import type { OperationResult } from './venue-operation.ts'
import { venueOperations } from './venue-operations.ts'
import { request, type World } from './world.ts'

export type ContentionOptions = {
  attempts: number
  seed: number
  /** contended venues at a time, cycling through the kinds */
  lanes: number
  /** callers at each venue */
  callers: number
  /** the name of the only kind of venue; by default, all */
  venue?: string | undefined
  /** no new attempts after this `performance.now()` */
  deadline: number
  progress(count: Count): void
}

/** Totals of a run. An attempt is contended if another one at the same venue overlapped with it. */
export type Count = {
  attempts: number
  contended: number
  /** keyed by `operation → outcome` */
  outcomes: Histogram
  /** errors of steps that lost a conflict and were retried, as a workflow would do */
  retried: Histogram
  /** errors that no caller should ever see */
  failures: string[]
}

/**
 * A contended venue and its bookings, newest last. With a waitlist, no operation runs past the
 * slot.
 */
type Lane = Concurrency & {
  arena: Arena
  accounts: readonly string[]
  random: Random
  bookings: KnownBooking[]
  hasWaitlist: boolean
  roomy: Arena
}

const MAX_KNOWN = 10
/** How many existing bookings the callers of one round act on. */
const CANDIDATES = 2
/** With a waitlist, one in this many callers joins it or requests a group. */
const VENUE_OPERATION_ODDS = 2
/** Where there are sessions, one in this many callers is the operator, who changes them. */
const SESSION_ODDS = 12
/** One in this many requests is sent twice at once, with one idempotency key. */
const DUPLICATE_ODDS = 8

/**
 * Callers collide at a few venues, in rounds that start at once and target the same two slots or
 * bookings.
 */
export async function contend(world: World, options: ContentionOptions): Promise<Count> {
  const count: Count = {
    attempts: 0,
    contended: 0,
    outcomes: new Map(),
    retried: new Map(),
    failures: [],
  }
  const roomy = await addArena(world.db, roomyKind)
  const kinds = kindsNamed(contendedKinds, options.venue)
  const runLane = async (n: number) => {
    // Every second venue of each kind has a waitlist.
    const kind = kinds[Math.floor(n / 2) % kinds.length] ?? contendedKinds[0]
    const arena = await addArena(world.db, kind)
    const accounts = [n, n + 1].map((nth) => world.accounts[nth % world.accounts.length] ?? '')
    const random = randomFrom(options.seed + n)
    const hasWaitlist = n % 2 === 1
    const lane: Lane = { arena, roomy, accounts, random, hasWaitlist, bookings: [], running: 0 }
    while (count.attempts < options.attempts && performance.now() < options.deadline) {
      await runRound(world, lane, options.callers, count)
      options.progress(count)
    }
  }
  await Promise.all(Array.from({ length: options.lanes }, (_, n) => runLane(n)))
  return count
}

async function runRound(world: World, lane: Lane, callers: number, count: Count): Promise<void> {
  const { random } = lane
  const slotTime = random.pick(lane.arena.slotTimes)
  const candidates = Array.from(
    { length: CANDIDATES },
    () => lane.bookings[random.below(MAX_KNOWN)],
  )
  const tasks = Array.from({ length: callers }, () => prepare(world, lane, slotTime, candidates))
  // Requests are inserted first, so that all callers start at once.
  const ready = await Promise.all(tasks)
  await Promise.all(ready.map((task) => attempt(lane, task, count)))
}

type Task = { name: string; callers: number; run(): Promise<OperationResult> }

async function prepare(
  world: World,
  lane: Lane,
  slotTime: string,
  candidates: readonly (KnownBooking | undefined)[],
): Promise<Task> {
  const { random, arena, roomy, accounts } = lane
  const candidate = random.pick(candidates)
  const service = serviceIn(arena, random)
  const requested = { slotTime, partySize: 1 + random.below(arena.partyMax), service }
  const accountId = random.pick(accounts)
  const ofVenue = venueOperationsOf(lane)
  if (ofVenue) {
    const { name, run } = random.draw(ofVenue)
    const target = { arena, roomy, accountId, ...requested, which: random.below(100) }
    return { name, callers: 1, run: () => run(world, target) }
  }
  const operation = draw(lane, candidate)
  const { name, callers = 1, purpose } = operation
  const copies = random.below(DUPLICATE_ODDS) === 0 ? 2 : 1
  const requestedBooking = { ...requested, accountId, ...(purpose && { purpose }) }
  const start =
    operation.on !== 'request' && candidate
      ? candidate.start
      : await request(world.db, arena, requestedBooking, copies)
  return { name, callers, run: () => runOperation(world, operation, start, requested) }
}

function venueOperationsOf({ random, arena: { kind }, hasWaitlist }: Lane) {
  const hasSessions = servicesOf(kind).some(({ sessions }) => sessions)
  if (hasSessions && random.below(SESSION_ODDS) === 0) return sessionOperations
  return hasWaitlist && random.below(VENUE_OPERATION_ODDS) === 0 ? venueOperations : undefined
}

async function runOperation(
  world: World,
  operation: Operation,
  start: BookingStart,
  requested: RequestedSlot,
): Promise<OperationResult> {
  const outcome = await operation.run(world, start, requested)
  const isThere = !outcome.startsWith('refused')
  return { outcome, bookings: isThere ? [{ start, status: outcome as BookingStatus }] : [] }
}

async function attempt(lane: Lane, { name, callers, run }: Task, count: Count): Promise<void> {
  count.attempts += callers
  try {
    const { result, contended } = await trackOverlap(lane, () => retryStep(run, count))
    if (contended || callers > 1) count.contended += callers
    for (const one of result.bookings) remember(lane, one)
    addTo(count.outcomes, `${name} → ${result.outcome}`)
  } catch (error) {
    count.failures.push(`${name}: ${error}`)
  }
}

const MAX_ATTEMPTS = 3

/** Retries a failed step as the workflow's retry policy would. */
async function retryStep<T>(step: () => Promise<T>, count: Count): Promise<T> {
  for (let n = 1; ; n += 1) {
    try {
      return await step()
    } catch (error) {
      if (n === MAX_ATTEMPTS) throw error
      addTo(count.retried, (error as Error).message)
    }
  }
}

function draw(
  { random, arena, hasWaitlist }: Lane,
  candidate: KnownBooking | undefined,
): Operation {
  const fitting = operations.filter(
    (one) =>
      fits(one, arena.kind.confirmMode, candidate?.status) && !(hasWaitlist && one.isLate === true),
  )
  return random.draw(fitting)
}

function remember({ bookings: known }: Lane, { start, status }: KnownBooking): void {
  const earlier = known.find((one) => one.start.bookingId === start.bookingId)
  if (earlier) earlier.status = status
  else known.push({ start, status })
  if (known.length > MAX_KNOWN) known.shift()
}
