import { randomUUIDv7 } from 'node:crypto'
import { selectOptionalVenueRef } from '../../availability/store/venues.ts'
import {
  type BookingRequest,
  guestOf,
  hash,
  localSlot,
} from '../../bookings/operations/open-request.ts'
import type { GroupKind } from '../../bookings/rules/booking.ts'
import { JOIN_MINUTES } from '../../bookings/rules/booking.ts'
import { accountOf, type Context } from '../../contract/operation.ts'
import { Refusal, refuse } from '../../contract/rules/errors.ts'
import type { GroupAnswer } from '../rules/group-messages.ts'
import { selectGroupStart } from '../store/group-progress.ts'
import {
  clearGroupNaturalKey,
  type EarlierGroup,
  hasFreeLane,
  insertGroup,
  type NewGroup,
  type NewMember,
  selectLiveMember,
  selectOptionalEarlierGroup,
  selectOptionalGroupAnswer,
} from '../store/groups.ts'

/** What an agent asked for: bookings in their order, and the whole body but for key and wait. */
export type GroupRequest = {
  kind: GroupKind
  members: readonly BookingRequest[]
  guestRef: string | undefined
  reminders: number[] | undefined
  body: unknown
  /** the deadline of an itinerary and until when it is held, by its members; null where each venue has its own */
  deadline(members: readonly NewMember[]): { answerBy: Date; holdUntil: Date } | null
}

/** What came of it: its answer, or that it is still being worked on. */
export type OpenedGroup = {
  groupId: string
  output: Record<string, unknown> | null
  flags: { replayed?: true; joined?: true }
}

/**
 * Asks for several bookings that belong together: writes them down, has their workflow decide and waits up to `wait` seconds for
 * the answer. Throws the refusal that it led to.
 */
export async function openGroup(
  ctx: Context,
  asked: GroupRequest,
  { key, wait }: { key: string | undefined; wait: number },
): Promise<OpenedGroup> {
  const group = await newGroup(ctx, asked, key ?? null)
  // What is only repeated is not judged anew: its deadline may be over by now.
  const earlier = await selectOptionalEarlierGroup(ctx.db, group)
  const joined = earlier && (await join(ctx, group, earlier))
  const { groupId, flags } =
    joined ?? (await record(ctx, { ...group, ...asked.deadline(group.members) }))
  const answer = await answerOf(ctx, groupId, wait)
  if (answer && 'refusal' in answer) {
    const { refusal } = answer
    throw new Refusal({ ...refusal, facts: { ...refusal.facts, ...flags } })
  }
  return { groupId, output: answer?.output ?? null, flags }
}

async function answerOf(ctx: Context, groupId: string, wait: number): Promise<GroupAnswer | null> {
  const stored = await selectOptionalGroupAnswer(ctx.db, groupId)
  if (stored) return stored
  await ctx.engine.settleGroup(await selectGroupStart(ctx.db, groupId), wait)
  return selectOptionalGroupAnswer(ctx.db, groupId)
}

type Recorded = Pick<OpenedGroup, 'groupId' | 'flags'>

/** Writes the group down before anything else happens, or finds the one that it repeats. */
async function record(ctx: Context, group: NewGroup): Promise<Recorded> {
  // What was in the way can end between the statements; then this one is new after all.
  for (;;) {
    if (await insertGroup(ctx.db, group)) return { groupId: group.id, flags: {} }
    const earlier = await selectOptionalEarlierGroup(ctx.db, group)
    const joined = earlier && (await join(ctx, group, earlier))
    if (joined) return joined
    if (!earlier && group.kind === 'itinerary' && !(await hasFreeLane(ctx.db, group.accountId))) {
      throw refuse('itinerary_limit')
    }
  }
}

async function join(
  ctx: Context,
  group: NewGroup,
  earlier: EarlierGroup,
): Promise<Recorded | undefined> {
  const isEqual = earlier.operation === group.kind && earlier.body_hash.equals(group.bodyHash)
  if (group.idempotencyKey !== null) {
    if (!isEqual) throw refuse('idempotency_mismatch')
    return { groupId: earlier.id, flags: { replayed: true } }
  }
  const ageMinutes = (ctx.at.getTime() - earlier.created_at.getTime()) / 60_000
  if (!earlier.is_live) {
    await clearGroupNaturalKey(ctx.db, earlier.id)
    return undefined
  }
  if (ageMinutes >= JOIN_MINUTES) {
    const what = 'These were asked for before, and are booked or in progress.'
    const itinerary = group.kind === 'itinerary' ? { itinerary_id: earlier.id } : {}
    const booking_id = await selectLiveMember(ctx.db, earlier.id)
    throw refuse('duplicate_booking', what, { booking_id, ...itinerary })
  }
  return { groupId: earlier.id, flags: { joined: true } }
}

async function newGroup(
  ctx: Context,
  { kind, members: asked, guestRef, reminders, body }: GroupRequest,
  idempotencyKey: string | null,
): Promise<NewGroup> {
  const members: NewMember[] = []
  for (const one of asked) members.push(await newMember(ctx, one))
  const natural = members.map(({ venueId, slotTime, partySize }) => [venueId, slotTime, partySize])
  return {
    id: randomUUIDv7(),
    accountId: accountOf(ctx).id,
    kind,
    idempotencyKey,
    bodyHash: hash(body),
    naturalKey: idempotencyKey === null ? hash([kind, ctx.from, guestRef ?? null, natural]) : null,
    door: ctx.door,
    fromAgent: ctx.from,
    guestRef: guestRef ?? null,
    reminders: reminders ?? null,
    answerBy: null,
    holdUntil: null,
    members,
    at: ctx.at,
  }
}

async function newMember(ctx: Context, asked: BookingRequest): Promise<NewMember> {
  const venue = await selectOptionalVenueRef(ctx.db, asked.venue_id)
  if (!venue) throw refuse('venue_not_found', `There is no venue ${asked.venue_id}.`)
  const { local, startsAt } = localSlot(asked.slot_time, venue.timezone)
  return {
    bookingId: randomUUIDv7(),
    askId: randomUUIDv7(),
    undoId: randomUUIDv7(),
    venueId: venue.id,
    slotTime: local,
    startsAt,
    partySize: asked.party_size,
    guest: guestOf(asked, startsAt),
  }
}
