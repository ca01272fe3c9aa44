import { evaluateOfferings } from '../../src/availability/steps/evaluate-offerings.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { releaseHold } from '../../src/bookings/steps/change-hold.ts'
import { holdSlot } from '../../src/bookings/steps/decide-booking.ts'
import { selectBookingForUpdate } from '../../src/bookings/store/bookings.ts'
import { updateRequestAnswer } from '../../src/bookings/store/requests.ts'
import { stepOnce } from '../../src/bookings/store/transitions.ts'
import { refusalData } from '../../src/contract/rules/errors.ts'
import { type Db, transaction } from '../../src/platform/database/sql.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { type Arena, type ArenaKind, addArena, arenaKinds } from './arena.ts'
import type { ContentionOptions } from './contention.ts'
import { amongOthers, type Crowd } from './overlap.ts'
import { type Random, randomFrom } from './random.ts'
import { request, type World } from './world.ts'

/**
 * How often callers reached for the same inventory, how often they got it, and errors that nobody
 * should see.
 */
export type Fight = { attempts: number; contended: number; taken: number; failures: string[] }

type FightOptions = Omit<ContentionOptions, 'progress' | 'lanes' | 'callers'> & {
  progress: (attempts: number) => void
}

/** Several times as many as a place has of anything, so that most of them lose. */
const RIVALS = 32

/**
 * Rivals that reach for the same inventory by the step that every booking takes it by, without
 * anything around it: a round begins at the same instant for all of them, at one of a few times
 * that overlap, and who gets something gives it back before the next.
 */
export async function fightForInventory(
  world: World,
  { attempts, seed, deadline, progress }: FightOptions,
): Promise<Fight> {
  const fight: Fight = { attempts: 0, contended: 0, taken: 0, failures: [] }
  const fightFor = async (kind: ArenaKind, n: number) => {
    const arena = await addArena(world.db, kind)
    const random = randomFrom(seed + n)
    while (fight.attempts < attempts && performance.now() < deadline) {
      await playRound(world, arena, random, fight)
      progress(fight.attempts)
    }
  }
  // two of each kind, so that there is always somebody whose turn it is
  await Promise.all([...arenaKinds, ...arenaKinds].map(fightFor))
  return fight
}

async function playRound(world: World, arena: Arena, random: Random, fight: Fight): Promise<void> {
  const rivals = await transaction(world.db, (tx) => askForTheSame(tx, world, arena, random))
  const crowd: Crowd = { running: 0 }
  const taken: BookingStart[] = []
  const noteFailure = (error: unknown) => void fight.failures.push(`reach for inventory: ${error}`)
  const reach = async (start: BookingStart) => {
    fight.attempts += 1
    const { result, contended } = await amongOthers(crowd, () => take(world, start))
    if (contended) fight.contended += 1
    if (result) taken.push(start)
  }
  await Promise.all(rivals.map((start) => reach(start).catch(noteFailure)))
  fight.taken += taken.length
  await Promise.all(taken.map((start) => giveBack(world, start).catch(noteFailure)))
  const lost = rivals.filter((start) => !taken.includes(start))
  await transaction(world.db, (tx) => refuseAll(tx, lost))
}

/** Written down before the round, for times that overlap. */
async function askForTheSame(tx: Db, { accounts }: World, arena: Arena, random: Random) {
  const starts: BookingStart[] = []
  while (starts.length < RIVALS) {
    const wish = {
      slotTime: random.pick(arena.slotTimes),
      partySize: 1 + random.below(arena.partyMax),
      accountId: random.pick(accounts),
    }
    starts.push(await request(tx, arena, wish))
  }
  return starts
}

async function take({ db }: World, start: BookingStart): Promise<boolean> {
  const at = new Date()
  const { choices } = await evaluateOfferings(db, start, at)
  for (const choice of choices) if (await holdSlot(db, start, choice, at)) return true
  return false
}

async function giveBack({ db }: World, { accountId, bookingId }: BookingStart): Promise<void> {
  const at = new Date()
  const command = { id: bookingId, kind: 'release', input: {}, given_at: at } as const
  await stepOnce(db, { accountId, bookingId, transitionId: 'give back', at }, async (tx) => {
    const held = await selectBookingForUpdate(tx, bookingId)
    const { answer, events } = await releaseHold(tx, held, command, { ...stepDeps, at })
    return { result: answer, events }
  })
}

async function refuseAll(tx: Db, lost: readonly BookingStart[]): Promise<void> {
  const refusal = refusalData('slot_unavailable')
  for (const { bookingId } of lost) await updateRequestAnswer(tx, bookingId, { refusal })
}
