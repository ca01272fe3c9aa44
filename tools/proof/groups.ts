import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { GroupKind } from '../../src/bookings/rules/booking.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectOptionalBookingStartOf } from '../../src/bookings/store/booking-starts.ts'
import type { Engine } from '../../src/contract/operation.ts'
import { toInstant } from '../../src/contract/rules/local-time.ts'
import type { GroupStart } from '../../src/itineraries/rules/group-messages.ts'
import { type GroupStatus, ITINERARY_GRACE_MS } from '../../src/itineraries/rules/groups.ts'
import { advanceGroup } from '../../src/itineraries/steps/advance-group.ts'
import { workOnMember } from '../../src/itineraries/steps/work-on-member.ts'
import {
  selectGroupStart,
  selectLostGroups,
  selectMembers,
} from '../../src/itineraries/store/group-progress.ts'
import { insertGroup, type NewMember } from '../../src/itineraries/store/groups.ts'
import { stepDeps } from '../../test/support/terms.ts'
import type { Arena } from './arena.ts'
import type { Known } from './known.ts'
import type { World } from './world.ts'

/** Groups settled at a time. */
const PAGE = 200
const ITINERARY_MS = 15 * 60_000

type Wish = { accountId: string; slotTime: string; partySize: number }

/**
 * Writes a group of the same time at each of these venues down as a door does; undefined where its
 * account has too many itineraries in progress.
 */
export async function beginGroup(
  { db }: World,
  { accountId, ...wish }: Wish,
  kind: GroupKind,
  arenas: readonly Arena[],
): Promise<GroupStart | undefined> {
  const at = new Date()
  const id = randomUUIDv7()
  const key = randomUUID()
  const answerBy = kind === 'itinerary' ? new Date(at.getTime() + ITINERARY_MS) : null
  const nobody = { naturalKey: null, fromAgent: null, guestRef: null, reminders: null }
  const written = await insertGroup(db, {
    ...{ id, accountId, kind, answerBy, at, ...nobody },
    idempotencyKey: key,
    bodyHash: Buffer.from(key),
    door: 'rest',
    holdUntil: answerBy && new Date(answerBy.getTime() + ITINERARY_GRACE_MS),
    members: arenas.map((arena) => memberOf(arena, wish)),
  })
  return written ? selectGroupStart(db, id) : undefined
}

const memberOf = (arena: Arena, { slotTime, partySize }: Omit<Wish, 'accountId'>): NewMember => ({
  bookingId: randomUUIDv7(),
  askId: randomUUIDv7(),
  undoId: randomUUIDv7(),
  venueId: arena.id,
  slotTime,
  startsAt: toInstant(arena.timezone, slotTime) ?? new Date(Number.NaN),
  partySize,
  guest: null,
})

/**
 * One turn of a group's workflow: moves it as far as it can go, as at `at`, and works once on each
 * booking on which there is work. Answers where it stands.
 */
export async function turnGroup(
  world: World,
  group: GroupStart,
  at: Date = new Date(),
): Promise<GroupStatus> {
  const { status, work } = await advanceGroup(world.db, group, stepDeps, at)
  const deps = { db: world.db, engine: directly(world) }
  for (const position of work) {
    const turn = { status, position, at: new Date() }
    await workOnMember(deps, group, turn)
  }
  return status
}

/** Asks nobody: what the workflow of a booking would do when it is told, is done at once. */
const directly = ({ db, answers }: World) => {
  const engine: Pick<Engine, 'confirm' | 'command'> = {
    async confirm(start) {
      const { answer } = await decideBooking(db, start, stepDeps, new Date())
      answers.note(start.bookingId, answer)
      return answer ?? 'pending'
    },
    async command(start, { id }) {
      const run = await runCommands(db, start, stepDeps, { asked: [id], at: new Date() })
      const answer = run.answers[id] ?? null
      answers.note(id, answer)
      return answer ?? 'pending'
    },
  }
  return engine as Engine
}

/** The bookings of a group that there are by now, for whoever acts upon them too. */
export async function bookingsOf({ db }: World, group: GroupStart): Promise<Known[]> {
  const known: Known[] = []
  for (const { bookingId, status } of await selectMembers(db, group.groupId)) {
    if (status === 'waiting' || status === 'opening' || status === 'refused') continue
    const start = await selectOptionalBookingStartOf(db, group.accountId, bookingId)
    if (start) known.push({ start, status })
  }
  return known
}

/** A turn of each group in progress; answers how many there were. */
export async function settleGroups(world: World, at: Date): Promise<number> {
  const inProgress = await selectLostGroups(world.db, new Date(at.getTime() + 1), PAGE)
  for (const group of inProgress) await turnGroup(world, group, at)
  return inProgress.length
}
