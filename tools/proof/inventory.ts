import { evaluateServices } from '../../src/availability/steps/evaluate-services.ts'
import { refusalData } from '../../src/base/errors.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { newcomerLimits } from '../../src/bookings/rules/limits.ts'
import { releaseHold } from '../../src/bookings/steps/change-hold.ts'
import { takeSlot } from '../../src/bookings/steps/take-slot.ts'
import { selectBookingForUpdate } from '../../src/bookings/store/bookings.ts'
import { updateRequestAnswer } from '../../src/bookings/store/requests.ts'
import { stepOnce } from '../../src/bookings/store/transitions.ts'
import { type Db, together, transaction } from '../../src/platform/database/sql.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { type Arena, type ArenaKind, addArena, arenaKinds, kindsNamed, serviceIn } from './arena.ts'
import type { ContentionOptions } from './contention.ts'
import { type Concurrency, trackOverlap } from './overlap.ts'
import { type Random, randomFrom } from './random.ts'
import { request, type World } from './world.ts'

/** Attempts to take the same inventory, how many succeeded, and unexpected errors. */
export type InventoryCount = {
  attempts: number
  contended: number
  taken: number
  failures: string[]
}

type InventoryOptions = Omit<ContentionOptions, 'progress' | 'lanes' | 'callers'> & {
  progress: (attempts: number) => void
}

/** Callers per round: several times any venue's stock, so that most of them lose. */
const RIVALS = 32

/**
 * Runs only the step that takes inventory. In each round, rivals start at once for overlapping
 * slots; winners release them before the next round.
 */
export async function contendForInventory(
  world: World,
  { attempts, seed, venue, deadline, progress }: InventoryOptions,
): Promise<InventoryCount> {
  const count: InventoryCount = { attempts: 0, contended: 0, taken: 0, failures: [] }
  const contendFor = async (kind: ArenaKind, n: number) => {
    const arena = await addArena(world.db, kind)
    const random = randomFrom(seed + n)
    while (count.attempts < attempts && performance.now() < deadline) {
      await runRound(world, arena, random, count)
      progress(count.attempts)
    }
  }
  const kinds = kindsNamed(arenaKinds, venue)
  // Enough venues to keep all connections busy.
  const venues = Array.from({ length: 2 * arenaKinds.length }, (_, n) => kinds[n % kinds.length])
  await Promise.all(venues.map((kind, n) => kind && contendFor(kind, n)))
  return count
}

async function runRound(
  world: World,
  arena: Arena,
  random: Random,
  count: InventoryCount,
): Promise<void> {
  const rivals = await transaction(world.db, (tx) => insertRivalRequests(tx, world, arena, random))
  const concurrency: Concurrency = { running: 0 }
  const winners: BookingStart[] = []
  const noteFailure = (error: unknown) => void count.failures.push(`take inventory: ${error}`)
  const reach = async (start: BookingStart) => {
    count.attempts += 1
    const { result, contended } = await trackOverlap(concurrency, () => tryHold(world, start))
    if (contended) count.contended += 1
    if (result) winners.push(start)
  }
  await Promise.all(rivals.map((start) => reach(start).catch(noteFailure)))
  count.taken += winners.length
  await Promise.all(winners.map((start) => release(world, start).catch(noteFailure)))
  const losers = rivals.filter((start) => !winners.includes(start))
  await transaction(world.db, (tx) => refuseAll(tx, losers))
}

/** Inserts the rivals' requests, for overlapping slots, before the round begins. */
function insertRivalRequests(tx: Db, { accounts }: World, arena: Arena, random: Random) {
  const requests = Array.from({ length: RIVALS }, () => ({
    slotTime: random.pick(arena.slotTimes),
    partySize: 1 + random.below(arena.partyMax),
    accountId: random.pick(accounts),
    service: serviceIn(arena, random),
  }))
  return together(...requests.map((one) => request(tx, arena, one)))
}

async function tryHold({ db }: World, start: BookingStart): Promise<boolean> {
  const at = new Date()
  const { choices } = await evaluateServices(db, start, at)
  for (const choice of choices) {
    const allocation = await takeSlot(db, start, choice, { limits: newcomerLimits, at })
    if ('state' in allocation && allocation.state) return true
  }
  return false
}

async function release({ db }: World, { accountId, bookingId }: BookingStart): Promise<void> {
  const at = new Date()
  const command = { id: bookingId, kind: 'release', input: {}, guest: null, given_at: at } as const
  await stepOnce(db, { accountId, bookingId, transitionId: 'release', at }, async (tx) => {
    const booking = await selectBookingForUpdate(tx, bookingId)
    const { answer, events } = await releaseHold(tx, booking, command, { ...stepDeps, at })
    return { result: answer, events }
  })
}

async function refuseAll(tx: Db, losers: readonly BookingStart[]): Promise<void> {
  const refusal = refusalData('slot_unavailable')
  await together(...losers.map(({ bookingId }) => updateRequestAnswer(tx, bookingId, { refusal })))
}
