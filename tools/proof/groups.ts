import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { MINUTE_MS } from '../../src/base/durations.ts'
import { toInstant } from '../../src/base/local-time.ts'
import type { GroupKind } from '../../src/bookings/rules/booking.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { runCommands } from '../../src/bookings/steps/run-commands.ts'
import { selectOptionalBookingStartOf } from '../../src/bookings/store/booking-starts.ts'
import type { GroupStart } from '../../src/itineraries/rules/group-messages.ts'
import { type GroupStatus, ITINERARY_GRACE_MS } from '../../src/itineraries/rules/groups.ts'
import { advanceGroup } from '../../src/itineraries/steps/advance-group.ts'
import { workOnMember } from '../../src/itineraries/steps/work-on-member.ts'
import {
  selectGroupStart,
  selectLostGroups,
  selectMembers,
} from '../../src/itineraries/store/group-progress.ts'
import { insertGroup, type NewGroupMember } from '../../src/itineraries/store/groups.ts'
import type { NetworkEngine } from '../../src/network.ts'
import { stepDeps } from '../../test/support/terms.ts'
import type { Arena } from './arena.ts'
import type { KnownBooking } from './known-booking.ts'
import type { World } from './world.ts'

/** Groups per query. */
const PAGE = 200
const ITINERARY_MS = 15 * MINUTE_MS

type GroupRequest = { accountId: string; slotTime: string; partySize: number }

/**
 * Inserts a group for the same slot at each venue, as a door does. Undefined at the itinerary
 * limit.
 */
export async function beginGroup(
  { db }: World,
  { accountId, ...slot }: GroupRequest,
  kind: GroupKind,
  arenas: readonly Arena[],
): Promise<GroupStart | undefined> {
  const at = new Date()
  const id = randomUUIDv7()
  const key = randomUUID()
  const answerBy = kind === 'itinerary' ? new Date(at.getTime() + ITINERARY_MS) : null
  const withoutGuest = { naturalKey: null, fromAgent: null, guestRef: null, reminders: null }
  const isNew = await insertGroup(db, {
    id,
    accountId,
    kind,
    answerBy,
    at,
    ...withoutGuest,
    idempotencyKey: key,
    bodyHash: Buffer.from(key),
    door: 'rest',
    also: true,
    holdUntil: answerBy && new Date(answerBy.getTime() + ITINERARY_GRACE_MS),
    members: arenas.map((arena) => memberOf(arena, slot)),
  })
  return isNew ? selectGroupStart(db, id) : undefined
}

const memberOf = (
  arena: Arena,
  { slotTime, partySize }: Omit<GroupRequest, 'accountId'>,
): NewGroupMember => ({
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
 * Runs one turn of a group's workflow as of `at`: advances it and works once on each due member.
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

/** Runs booking steps directly instead of signalling booking workflows. */
const directly = ({ db, answers }: World) => {
  const engine: Pick<NetworkEngine, 'begin' | 'announceCommands'> = {
    async begin(start) {
      const { answer } = await decideBooking(db, start, stepDeps, new Date())
      answers.note(start.bookingId, answer)
    },
    async announceCommands(start, id) {
      const run = await runCommands(db, start, stepDeps, { commandIds: [id], at: new Date() })
      answers.note(id, run.answers[id] ?? null)
    },
  }
  return engine as NetworkEngine
}

/** The bookings that a group has so far, for other operations to act on. */
export async function bookingsOf({ db }: World, group: GroupStart): Promise<KnownBooking[]> {
  const bookings: KnownBooking[] = []
  for (const { bookingId, status } of await selectMembers(db, group.groupId)) {
    if (status === 'waiting' || status === 'opening' || status === 'refused') continue
    const start = await selectOptionalBookingStartOf(db, group.accountId, bookingId)
    if (start) bookings.push({ start, status })
  }
  return bookings
}

/** Runs a turn of each group in progress and returns their number. */
export async function settleGroups(world: World, at: Date): Promise<number> {
  const before = new Date(at.getTime() + 1)
  const page = { after: null, limit: PAGE }
  const inProgress = await selectLostGroups(world.db, { moved: before, still: before }, page)
  for (const { id } of inProgress) await turnGroup(world, await selectGroupStart(world.db, id), at)
  return inProgress.length
}
