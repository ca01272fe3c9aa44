import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import type { BookingStatus } from '../../src/contract/rules/booking-status.ts'
import { type Arena, addArena, contendedKinds, roomyKind } from './arena.ts'
import { addTo, type Histogram } from './histogram.ts'
import type { Known } from './known.ts'
import { fits, type Operation, operations } from './operations.ts'
import { amongOthers, type Crowd } from './overlap.ts'
import type { Seen } from './place.ts'
import { placeOperations } from './place-operations.ts'
import type { Wish } from './predictions.ts'
import { type Random, randomFrom } from './random.ts'
import { request, type World } from './world.ts'

export type ContentionOptions = {
  attempts: number
  seed: number
  /** venues that are fought for at the same time, one after another of each kind */
  lanes: number
  /** callers at each of them */
  callers: number
  /** nothing new begins after this moment of `performance.now()` */
  deadline: number
  progress(count: Count): void
}

/** What happened: contended are attempts that ran while another one at the same venue did. */
export type Count = {
  attempts: number
  contended: number
  /** how each operation ended, by `operation → outcome` */
  outcomes: Histogram
  /** why steps that lost to a rival in their middle were tried anew, as the workflow does */
  triedAnew: Histogram
  /** what a caller should never see: errors instead of answers */
  failures: string[]
}

/**
 * A venue in the run: bookings that somebody saw, the newest last. Where others wait, the clock
 * stays before the slot.
 */
type Lane = Crowd & {
  arena: Arena
  accounts: readonly string[]
  random: Random
  known: Known[]
  isWaitedFor: boolean
  roomy: Arena
}

const KNOWN = 10
/** Bookings that the callers of a round act upon, beside those who want a new one. */
const VICTIMS = 2
/**
 * Where others wait, one in so many callers does something at the place: waits for it, or wants
 * several together.
 */
const AT_THE_PLACE = 2
/** One in so many requests is sent twice at the same instant, with one idempotency key. */
const SENT_TWICE = 8

/**
 * Callers that collide at a few venues, in rounds that begin at the same instant: everybody wants
 * the same two times or bookings.
 */
export async function contend(world: World, options: ContentionOptions): Promise<Count> {
  const count: Count = {
    attempts: 0,
    contended: 0,
    outcomes: new Map(),
    triedAnew: new Map(),
    failures: [],
  }
  const roomy = await addArena(world.db, roomyKind)
  const runLane = async (n: number) => {
    // Every second venue of each kind is one where others wait.
    const kind = contendedKinds[Math.floor(n / 2) % contendedKinds.length] ?? contendedKinds[0]
    const arena = await addArena(world.db, kind)
    const accounts = [n, n + 1].map((nth) => world.accounts[nth % world.accounts.length] ?? '')
    const random = randomFrom(options.seed + n)
    const isWaitedFor = n % 2 === 1
    const lane: Lane = { arena, roomy, accounts, random, isWaitedFor, known: [], running: 0 }
    while (count.attempts < options.attempts && performance.now() < options.deadline) {
      await playRound(world, lane, options.callers, count)
      options.progress(count)
    }
  }
  await Promise.all(Array.from({ length: options.lanes }, (_, n) => runLane(n)))
  return count
}

async function playRound(world: World, lane: Lane, callers: number, count: Count): Promise<void> {
  const { random } = lane
  const slotTime = random.pick(lane.arena.slotTimes)
  const victims = Array.from({ length: VICTIMS }, () => lane.known[random.below(KNOWN)])
  const tasks = Array.from({ length: callers }, () => prepare(world, lane, slotTime, victims))
  // Requests are written first, so that what follows begins at the same instant.
  const ready = await Promise.all(tasks)
  await Promise.all(ready.map((task) => attempt(lane, task, count)))
}

/** What a caller is about to do. */
type Task = { name: string; callers: number; run(): Promise<Seen> }

async function prepare(
  world: World,
  lane: Lane,
  slotTime: string,
  victims: readonly (Known | undefined)[],
): Promise<Task> {
  const { random, arena, roomy, accounts, isWaitedFor } = lane
  const victim = random.pick(victims)
  const wish = { slotTime, partySize: 1 + random.below(arena.partyMax) }
  const accountId = random.pick(accounts)
  if (isWaitedFor && random.below(AT_THE_PLACE) === 0) {
    const { name, run } = random.draw(placeOperations)
    const place = { arena, roomy, accountId, ...wish, which: random.below(100) }
    return { name, callers: 1, run: () => run(world, place) }
  }
  const operation = draw(lane, victim)
  const { name, callers = 1, purpose } = operation
  const copies = random.below(SENT_TWICE) === 0 ? 2 : 1
  const asked = { ...wish, accountId, ...(purpose && { purpose }) }
  const start =
    operation.on !== 'request' && victim
      ? victim.start
      : await request(world.db, arena, asked, copies)
  return { name, callers, run: () => actOn(world, operation, start, wish) }
}

async function actOn(
  world: World,
  operation: Operation,
  start: BookingStart,
  wish: Wish,
): Promise<Seen> {
  const outcome = await operation.run(world, start, wish)
  const isThere = !outcome.startsWith('refused')
  return { outcome, seen: isThere ? [{ start, status: outcome as BookingStatus }] : [] }
}

async function attempt(lane: Lane, { name, callers, run }: Task, count: Count): Promise<void> {
  count.attempts += callers
  try {
    const { result, contended } = await amongOthers(lane, () => retryUntilSuccess(run, count))
    if (contended || callers > 1) count.contended += callers
    for (const one of result.seen) remember(lane, one)
    addTo(count.outcomes, `${name} → ${result.outcome}`)
  } catch (error) {
    count.failures.push(`${name}: ${error}`)
  }
}

const TRIES = 3

/** The workflow's patience with a step that failed. */
async function retryUntilSuccess<T>(step: () => Promise<T>, count: Count): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await step()
    } catch (error) {
      if (tries === TRIES) throw error
      addTo(count.triedAnew, (error as Error).message)
    }
  }
}

function draw({ random, arena, isWaitedFor }: Lane, victim: Known | undefined): Operation {
  const fitting = operations.filter(
    (one) =>
      fits(one, arena.kind.confirmMode, victim?.status) && !(isWaitedFor && one.isLate === true),
  )
  return random.draw(fitting)
}

function remember({ known }: Lane, { start, status }: Known): void {
  const earlier = known.find((one) => one.start.bookingId === start.bookingId)
  if (earlier) earlier.status = status
  else known.push({ start, status })
  if (known.length > KNOWN) known.shift()
}
