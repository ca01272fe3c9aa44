import { release } from '../activities/commands/release.ts'
import { judgeOfferings } from '../activities/judge-offerings.ts'
import { holdSlot } from '../activities/open-booking.ts'
import type { BookingStart } from '../src/model/booking-messages.ts'
import { refusalData } from '../src/model/errors.ts'
import { selectBookingForUpdate } from '../src/store/bookings.ts'
import { updateRequestAnswer } from '../src/store/requests.ts'
import { stepOnce } from '../src/store/transitions.ts'
import { terms } from '../test/support/terms.ts'
import { type Arena, addArena, arenaKinds } from './arena.ts'
import type { ContentionOptions } from './contention.ts'
import { amongOthers, type Crowd } from './overlap.ts'
import { type Random, randomFrom } from './random.ts'
import { request, type World } from './world.ts'

/** How often callers reached for the same inventory, how often they got it, and errors that nobody should see. */
export type Fight = { attempts: number; contended: number; taken: number; failures: string[] }

type Lane = Crowd & { arena: Arena; random: Random }

/**
 * Callers that reach for the same inventory by the step that every booking takes it by, without anything around it: who gets it gives it
 * back at once, so that it changes hands as fast as PostgreSQL lets it.
 */
export async function fightForInventory(
  world: World,
  { attempts, seed, lanes, callers, deadline, progress }: FightOptions,
): Promise<Fight> {
  const fight: Fight = { attempts: 0, contended: 0, taken: 0, failures: [] }
  const runLane = async (n: number) => {
    const arena = await addArena(world.db, arenaKinds[n % arenaKinds.length] ?? arenaKinds[0])
    const lane: Lane = { arena, random: randomFrom(seed + n), running: 0 }
    const fightOn = async () => {
      while (fight.attempts < attempts && performance.now() < deadline) {
        await reach(world, lane, fight)
        progress(fight.attempts)
      }
    }
    await Promise.all(Array.from({ length: callers }, fightOn))
  }
  await Promise.all(Array.from({ length: lanes }, (_, n) => runLane(n)))
  return fight
}

type FightOptions = Omit<ContentionOptions, 'progress'> & { progress: (attempts: number) => void }

async function reach(world: World, lane: Lane, fight: Fight): Promise<void> {
  const { arena, random } = lane
  const wish = {
    slotTime: random.pick(arena.slotTimes),
    partySize: 1 + random.below(arena.partyMax),
    accountId: random.pick(world.accounts),
  }
  fight.attempts += 1
  try {
    const start = await request(world, arena, wish)
    const { result, contended } = await amongOthers(lane, () => take(world, start))
    if (contended) fight.contended += 1
    if (result) fight.taken += 1
    await (result ? giveBack(world, start) : refuse(world, start))
  } catch (error) {
    fight.failures.push(`reach for inventory: ${error}`)
  }
}

async function take({ db }: World, start: BookingStart): Promise<boolean> {
  const at = new Date()
  const { choices } = await judgeOfferings(db, start, at)
  for (const choice of choices) if (await holdSlot(db, start, choice, at)) return true
  return false
}

async function giveBack({ db }: World, { accountId, bookingId }: BookingStart): Promise<void> {
  const at = new Date()
  const command = { id: bookingId, kind: 'release', input: {}, given_at: at } as const
  await stepOnce(db, { accountId, bookingId, transitionId: 'give back', at }, async (tx) => {
    const held = await selectBookingForUpdate(tx, bookingId)
    const { answer, events } = await release(tx, held, command, { terms, at })
    return { result: answer, events }
  })
}

const refuse = ({ db }: World, { bookingId }: BookingStart) =>
  updateRequestAnswer(db, bookingId, { refusal: refusalData('slot_unavailable') })
