import { randomUUIDv7 } from 'node:crypto'
import { MINUTE_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import type { FoundSlot } from '../../bookings/operations/requested-slot.ts'
import * as requests from '../../bookings/operations/store-request.ts'
import { unlessUnattended } from '../../bookings/operations/unless-far-off.ts'
import { type GroupKind, JOIN_MINUTES } from '../../bookings/rules/booking.ts'
import { type BodyDigest, digestOf } from '../../contract/idempotency.ts'
import { accountOf } from '../../contract/operation.ts'
import type { GroupContext } from '../engine.ts'
import { selectGroupStart } from '../store/group-progress.ts'
import * as stored from '../store/groups.ts'
import { isGroupUnattended } from './while-open.ts'

type RequestedMember = FoundSlot<requests.BookingRequest>

/** Bookings, in order of preference or as parts. `body` is the input without its key and wait. */
export type GroupRequest = {
  kind: GroupKind
  members: readonly RequestedMember[]
  body: unknown
  /** null if each venue has its own deadline */
  deadline(members: readonly stored.NewGroupMember[]): Promise<GroupDeadline | null>
}

export type GroupDeadline = { answerBy: Date; holdUntil: Date }

type Recorded = { groupId: string; repeats: requests.Repeats }

/**
 * Requests several bookings as a group: stores them, lets their workflow decide and waits up to
 * `wait` seconds for the answer; if there is none by then, `output` is null. Throws the refusal.
 */
export async function openGroup(
  ctx: GroupContext,
  request: GroupRequest,
  { key, wait }: { key: string | undefined; wait: number },
) {
  const digest = digestOf(ctx, request.body)
  const group = { ...newGroup(ctx, request, key ?? null), bodyHash: digest.newest }
  // A repeated request is not checked again, as its deadline may have passed.
  const earlier = await stored.selectOptionalEarlierGroup(ctx.db, group)
  const joined = earlier && (await join(ctx, group, earlier, digest))
  if (!joined) for (const member of request.members) await requests.refuseSimilar(ctx, member)
  const { groupId, repeats } =
    joined ?? (await record(ctx, { ...group, ...(await request.deadline(group.members)) }, digest))
  const answer = await answerOf(ctx, groupId, wait)
  if (answer && 'refusal' in answer) throw requests.repeatedRefusal(answer.refusal, repeats)
  return { groupId, output: answer?.output ?? null, repeats }
}

async function answerOf(ctx: GroupContext, groupId: string, wait: number) {
  const { db, engine } = ctx
  const answer = await stored.selectOptionalGroupAnswer(db, groupId)
  if (answer) return answer
  const status = engine.settleGroup(await selectGroupStart(db, groupId), wait)
  await unlessUnattended(status, () => isGroupUnattended(ctx, groupId))
  return stored.selectOptionalGroupAnswer(db, groupId)
}

/** Stores the group, or finds the group that it repeats. */
async function record(
  ctx: GroupContext,
  group: stored.NewGroup,
  digest: BodyDigest,
): Promise<Recorded> {
  const { db } = ctx
  // An earlier group may end between the two statements, in which case this one is new after all.
  for (;;) {
    if (await stored.insertGroup(db, group)) {
      return { groupId: group.id, repeats: { joined: false } }
    }
    const earlier = await stored.selectOptionalEarlierGroup(db, group)
    const joined = earlier && (await join(ctx, group, earlier, digest))
    if (joined) return joined
    if (earlier || group.kind !== 'itinerary') continue
    if (!(await stored.hasFreeLane(db, group.accountId))) throw refuse('itinerary_limit')
  }
}

async function join(
  { db, at }: GroupContext,
  group: stored.NewGroup,
  earlier: stored.EarlierGroup,
  digest: BodyDigest,
): Promise<Recorded | undefined> {
  if (group.idempotencyKey !== null) {
    const isEqual = earlier.operation === group.kind && digest.equals(earlier.body_hash)
    if (!isEqual) throw refuse('idempotency_mismatch')
    return { groupId: earlier.id, repeats: { joined: false, replayed: true } }
  }
  const isRecent = at.getTime() - earlier.created_at.getTime() < JOIN_MINUTES * MINUTE_MS
  if (!earlier.is_live || !isRecent) {
    await stored.clearGroupNaturalKey(db, earlier.id)
    return undefined
  }
  return { groupId: earlier.id, repeats: { joined: true } }
}

function newGroup(
  ctx: GroupContext,
  { kind, members, body }: GroupRequest,
  idempotencyKey: string | null,
): Omit<stored.NewGroup, 'bodyHash'> {
  const { guest_ref: guestRef = null, reminders = null, also } = members[0]?.body ?? {}
  return {
    id: randomUUIDv7(),
    accountId: accountOf(ctx).id,
    kind,
    idempotencyKey,
    naturalKey: idempotencyKey === null ? requests.naturalKeyOf([kind, ctx.from, body]) : null,
    door: ctx.door,
    fromAgent: ctx.from,
    guestRef,
    also,
    reminders,
    answerBy: null,
    holdUntil: null,
    members: members.map(newMember),
    at: ctx.at,
  }
}

const newMember = ({ venue, slot, wish, body }: RequestedMember): stored.NewGroupMember => ({
  bookingId: randomUUIDv7(),
  askId: randomUUIDv7(),
  undoId: randomUUIDv7(),
  venueId: venue.id,
  slotTime: slot.local,
  startsAt: slot.startsAt,
  partySize: body.party_size,
  wish,
  guest: requests.guestOf(body, slot.startsAt),
})
