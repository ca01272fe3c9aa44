import { makeKey } from '../../test/support/agent.ts'
import type { Agent, FinalAnswer } from './agent.ts'
import { type Arena, addArena, arenaKinds, serviceIn } from './arena.ts'
import { type DoorOperation, doorOperations } from './door-operations.ts'
import { addTo, type Histogram } from './histogram.ts'
import type { Network } from './network.ts'
import { type Concurrency, trackOverlap } from './overlap.ts'
import { type Random, randomFrom } from './random.ts'

export type DoorsOptions = {
  attempts: number
  seed: number
  deadline: number
  progress(attempts: number): void
}

/**
 * Totals of a run through the doors. `answers` holds the outcomes that callers got, by booking id.
 */
export type DoorsCount = {
  attempts: number
  contended: number
  /** requests that needed at least one retry */
  repeated: number
  outcomes: Histogram
  answers: Map<string, string>
  failures: string[]
}

type Lane = Concurrency & { arena: Arena; agent: Agent; random: Random; bookings: string[] }

const LANES = 4
const CALLERS = 8
const MAX_KNOWN = 8

/** Agents collide at a few venues, in rounds that start at once. Adds to `count` as it runs. */
export async function contendAtDoors(
  network: Network,
  options: DoorsOptions,
  count: DoorsCount,
): Promise<void> {
  const until = count.attempts + options.attempts
  const runLane = async (n: number) => {
    const lane = await openLane(network, n, options.seed)
    while (count.attempts < until && performance.now() < options.deadline) {
      await Promise.all(Array.from({ length: CALLERS }, () => attempt(lane, count)))
      options.progress(count.attempts)
    }
  }
  await Promise.all(Array.from({ length: LANES }, (_, n) => runLane(n)))
}

export const newDoorsCount = (): DoorsCount => ({
  attempts: 0,
  contended: 0,
  repeated: 0,
  outcomes: new Map(),
  answers: new Map(),
  failures: [],
})

/** Auto-confirming kinds only: no venue responds in this run. */
const kinds = arenaKinds.filter(({ confirmMode }) => confirmMode === 'auto')

async function openLane({ db, url }: Network, n: number, seed: number): Promise<Lane> {
  const arena = await addArena(db, kinds[n % kinds.length] ?? arenaKinds[0])
  const { key } = await makeKey(db, 'pro')
  return { arena, agent: { url, key }, random: randomFrom(seed + n), running: 0, bookings: [] }
}

async function attempt(lane: Lane, count: DoorsCount): Promise<void> {
  const { arena, agent, random } = lane
  const operation = draw(lane)
  const service = serviceIn(arena, random)
  const slot = {
    venue_id: arena.id,
    slot_time: random.pick(arena.slotTimes),
    party_size: 1 + random.below(arena.partyMax),
    also: true,
    ...(service !== undefined && { service: arena.serviceIds[service] }),
  }
  const bookingId = lane.bookings[random.below(lane.bookings.length || 1)] ?? ''
  try {
    const { result, contended } = await trackOverlap(lane, () =>
      operation.send(agent, slot, bookingId),
    )
    count.attempts += result.length
    if (contended || result.length > 1) count.contended += result.length
    for (const answer of result) note(lane, operation, answer, count)
  } catch (error) {
    count.attempts += 1
    count.failures.push(`${operation.name}: ${error}`)
  }
}

function note(lane: Lane, { name, on }: DoorOperation, answer: FinalAnswer, count: DoorsCount) {
  const { status, body, repeats } = answer
  if (repeats > 0) count.repeated += 1
  const outcome = typeof body.code === 'string' ? body.code : String(body.status)
  addTo(count.outcomes, `${name} → ${status} ${outcome}`)
  if (status >= 500) count.failures.push(`${name}: ${status} ${outcome}`)
  if (on !== 'slot') return
  const id = idIn(body)
  if (!id) {
    count.failures.push(`${name}: ${status} ${outcome} names no booking`)
    return
  }
  const before = count.answers.get(id)
  if (before !== undefined && before !== outcome) {
    count.failures.push(`booking ${id} was answered both ${before} and ${outcome}`)
  }
  count.answers.set(id, outcome)
  if (status < 300) lane.bookings.push(id)
  if (lane.bookings.length > MAX_KNOWN) lane.bookings.shift()
}

function idIn({ booking, booking_id }: Record<string, unknown>): string | undefined {
  if (typeof booking_id === 'string') return booking_id
  return (booking as { id?: string } | undefined)?.id
}

function draw({ random, bookings }: Lane): DoorOperation {
  const fitting = doorOperations.filter(({ on }) => on === 'slot' || bookings.length > 0)
  return random.pick(fitting.flatMap((one) => Array.from({ length: one.weight }, () => one)))
}
