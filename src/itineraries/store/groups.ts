import { z } from 'zod'
import type { GroupKind } from '../../bookings/rules/booking.ts'
import type { GuestDetails } from '../../bookings/store/guests.ts'
import {
  type Db,
  execute,
  type Pool,
  queryOptionalRow,
  queryRow,
  transaction,
} from '../../platform/database/sql.ts'
import type { GroupAnswer } from '../rules/group-messages.ts'
import { firstStatus, type GroupStatus, groupStatuses, MOST_ITINERARIES } from '../rules/groups.ts'

/** A member as it is written down with its group. The guest is for its venue only. */
export type NewMember = {
  bookingId: string
  askId: string
  undoId: string
  venueId: string
  slotTime: string
  startsAt: Date
  partySize: number
  guest: GuestDetails | null
}

/** A group as it is written down before anything else happens. */
export type NewGroup = {
  id: string
  accountId: string
  kind: GroupKind
  idempotencyKey: string | null
  bodyHash: Buffer
  naturalKey: Buffer | null
  door: string
  fromAgent: string | null
  guestRef: string | null
  reminders: readonly number[] | null
  answerBy: Date | null
  holdUntil: Date | null
  members: readonly NewMember[]
  at: Date
}

class NotWritten extends Error {}

/**
 * Writes a group down with its members, their guests and the request of the first. False when its idempotency or natural key was
 * used before, or when the account has too many itineraries in progress.
 */
export async function insertGroup(db: Pool, group: NewGroup): Promise<boolean> {
  try {
    await transaction(db, async (tx) => {
      if (!(await insertKey(tx, group)) || !(await insertGroupRow(tx, group))) {
        throw new NotWritten()
      }
      for (const [index, member] of group.members.entries()) {
        await insertMember(tx, group.id, index + 1, member)
      }
      await insertMemberRequest(tx, group.id, 1, group.at)
    })
    return true
  } catch (error) {
    if (error instanceof NotWritten) return false
    throw error
  }
}

async function insertKey(tx: Db, { id, accountId, kind, ...group }: NewGroup): Promise<boolean> {
  if (group.idempotencyKey === null) return true
  const written = await execute(tx)`
    insert into used_key (account_id, key, operation, subject_id, body_hash, created_at)
    values (${accountId}, ${group.idempotencyKey}, ${kind}, ${id}, ${group.bodyHash}, ${group.at})
      on conflict do nothing`
  return written === 1
}

async function insertGroupRow(tx: Db, group: NewGroup): Promise<boolean> {
  const written = await execute(tx)`
    insert into booking_group (id, account_id, kind, status, body_hash, natural_key, door,
      from_agent, guest_ref, answer_by, hold_until, lane, next_action_at, created_at, updated_at,
      reminders)
    select ${group.id}, ${group.accountId}, ${group.kind}, ${firstStatus[group.kind]},
      ${group.bodyHash}, ${group.naturalKey}, ${group.door}, ${group.fromAgent}, ${group.guestRef},
        ${group.answerBy}, ${group.holdUntil}, lane, ${group.at}, ${group.at}, ${group.at},
          ${group.reminders}
    from (select case when ${group.kind}::text = 'itinerary' then (
      select min(n) from generate_series(1, 5) n where n not in (
        select lane from booking_group where account_id = ${group.accountId}::uuid
          and lane is not null)) end as lane) l
    where ${group.kind} = 'any_of' or lane is not null
    on conflict do nothing`
  return written === 1
}

async function insertMember(tx: Db, groupId: string, position: number, member: NewMember) {
  const guest = member.guest && JSON.stringify(member.guest.details)
  await execute(tx)`
    with member as (
      insert into group_member (group_id, position, booking_id, ask_id, undo_id, venue_id,
        slot_time, starts_at, party_size)
      values (${groupId}, ${position}, ${member.bookingId}, ${member.askId}, ${member.undoId},
        ${member.venueId}, ${member.slotTime}, ${member.startsAt}, ${member.partySize})
    )
    insert into booking_guest (booking_id, name, phone, email, notes, erase_after)
    select ${member.bookingId}::uuid,
      ${guest}::jsonb ->> 'name', ${guest}::jsonb ->> 'phone', ${guest}::jsonb ->> 'email',
      ${guest}::jsonb ->> 'notes', ${member.guest?.eraseAfter ?? null}::timestamptz
    where ${guest}::jsonb is not null`
}

/**
 * Writes the request of a member down, once, while its group still wants it: a group that has moved on, or moves on in this
 * moment, gets no further bookings.
 */
export async function insertMemberRequest(
  db: Db,
  groupId: string,
  position: number,
  at: Date,
): Promise<void> {
  await execute(db)`
    insert into request (booking_id, account_id, operation, body_hash, door, from_agent, guest_ref,
      venue_id, slot_time, party_size, created_at, reminders)
    select m.booking_id, g.account_id, case g.kind when 'any_of' then 'confirm' else 'hold' end,
      g.body_hash, g.door, g.from_agent, g.guest_ref, m.venue_id, m.slot_time, m.party_size, ${at},
      g.reminders
    from booking_group g join group_member m on m.group_id = g.id
    where g.id = ${groupId} and m.position = ${position} and g.status in ('trying', 'holding')
    for share of g
    on conflict do nothing`
}

/** Whether the account could have another itinerary in progress. */
export async function hasFreeLane(db: Db, accountId: string): Promise<boolean> {
  const { live } = await queryRow(db, z.object({ live: z.number() }))`
    select count(lane) as live from booking_group where account_id = ${accountId}
      and lane is not null`
  return live < MOST_ITINERARIES
}

const earlierGroup = z.object({
  id: z.uuid(),
  operation: z.string(),
  body_hash: z.instanceof(Buffer),
  created_at: z.date(),
  is_live: z.boolean(),
})
export type EarlierGroup = z.infer<typeof earlierGroup>

/**
 * The group of this account with the same idempotency key or, without one, the same natural key. A key that was used for something
 * else is found as well: `operation` says for what. `is_live`: it is in progress, or a booking of it is.
 */
export const selectOptionalEarlierGroup = (
  db: Db,
  { accountId, idempotencyKey, naturalKey }: NewGroup,
): Promise<EarlierGroup | undefined> =>
  queryOptionalRow(db, earlierGroup)`
    select subject_id as id, operation, body_hash, created_at, true as is_live
    from used_key where account_id = ${accountId} and key = ${idempotencyKey}
    union all
    select g.id, g.kind, g.body_hash, g.created_at, g.next_action_at is not null or exists (
      select from booking b where b.group_id = g.id
        and b.status in ('held', 'pending', 'offered', 'confirmed'))
    from booking_group g where g.account_id = ${accountId} and g.natural_key = ${naturalKey}`

const memberId = z.object({ id: z.uuid() })

/** One of the bookings of a group that occupy something, null when none does. */
export async function selectLiveMember(db: Db, groupId: string): Promise<string | null> {
  const found = await queryOptionalRow(db, memberId)`
    select id from booking
    where group_id = ${groupId} and status in ('held', 'pending', 'offered', 'confirmed')
    order by id limit 1`
  return found?.id ?? null
}

/** The group is over: an equal request may now make another one. */
export async function clearGroupNaturalKey(db: Db, id: string): Promise<void> {
  await execute(db)`update booking_group set natural_key = null where id = ${id}`
}

const answerRow = z.object({ answer: z.custom<GroupAnswer>().nullable() })

/** The answer that is stored for a group, or null while it is being worked on. */
export async function selectOptionalGroupAnswer(db: Db, id: string): Promise<GroupAnswer | null> {
  const row = await queryOptionalRow(db, answerRow)`
    select answer from booking_group where id = ${id}`
  return row?.answer ?? null
}

/**
 * Writes down that all of an itinerary is to be cancelled, where something of it is left to cancel; the first who wants it is the
 * one who is named. Answers where it stood, undefined when the account has no such itinerary.
 */
export async function askToCancel(
  db: Db,
  { id, accountId, by, at }: { id: string; accountId: string; by: 'guest' | 'agent'; at: Date },
): Promise<GroupStatus | undefined> {
  const row = await queryOptionalRow(db, z.object({ status: z.enum(groupStatuses) }))`
    with found as (
      select id, status from booking_group where id = ${id} and account_id = ${accountId}
        and kind = 'itinerary'
    ), asked as (
      update booking_group g set cancel_by = ${by}, updated_at = ${at},
        status = case g.status when 'confirmed' then 'cancelling' else g.status end,
        next_action_at = coalesce(g.next_action_at, ${at})
      from found where g.id = found.id and g.cancel_by is null
        and g.status in ('holding', 'asking', 'confirmed')
    )
    select status from found`
  return row?.status
}
