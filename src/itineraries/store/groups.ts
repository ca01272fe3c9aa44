import { z } from 'zod'
import type { Wish } from '../../availability/rules/service-terms.ts'
import type { GroupKind } from '../../bookings/rules/booking.ts'
import { type GuestDetails, guestColumns, guestValues } from '../../bookings/store/guests.ts'
import { int } from '../../platform/database/columns.ts'
import { attempt, type Db, type Pool, query, transaction } from '../../platform/database/sql.ts'
import { insertUse } from '../../platform/database/used-keys.ts'
import type { GroupAnswer } from '../rules/group-messages.ts'
import { groupStatuses, MAX_ITINERARIES } from '../rules/groups.ts'

/** A member of a new group. Its guest details are only for its venue. */
export type NewGroupMember = {
  bookingId: string
  askId: string
  undoId: string
  venueId: string
  slotTime: string
  startsAt: Date
  partySize: number
  wish?: Wish
  guest: GuestDetails | null
}

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
  /** books although the account has similar bookings */
  also?: boolean | undefined
  reminders: readonly number[] | null
  answerBy: Date | null
  holdUntil: Date | null
  members: readonly NewGroupMember[]
  at: Date
}

/**
 * Stores a group with its members, their guests and the first member's request. False if its
 * idempotency or natural key was used before, or the account has too many itineraries in progress.
 */
export const insertGroup = async (db: Pool, group: NewGroup): Promise<boolean> =>
  (await transaction(db, (tx) =>
    attempt(tx, async () => {
      const { id, accountId, kind, idempotencyKey: key, bodyHash, at } = group
      const use = { accountId, operation: kind, subjectId: id, bodyHash, at }
      if (key !== null && !(await insertUse(tx, { ...use, key }))) return undefined
      if (!(await insertGroupRow(tx, group))) return undefined
      for (const [index, member] of group.members.entries()) {
        await insertMember(tx, id, index + 1, member)
      }
      await insertMemberRequest(tx, id, 1, at)
      return true
    }),
  )) ?? false

const insertGroupRow = (tx: Db, { kind, accountId, at, ...group }: NewGroup) =>
  query.affectsRow(tx)`
    insert into booking_group (id, account_id, kind, status, body_hash, natural_key, door,
      from_agent, guest_ref, answer_by, hold_until, lane, next_action_at, created_at, updated_at,
      reminders, also)
    select ${group.id}, ${accountId}, ${kind}, ${kind === 'any_of' ? 'trying' : 'holding'},
      ${group.bodyHash}, ${group.naturalKey}, ${group.door}, ${group.fromAgent}, ${group.guestRef},
      ${group.answerBy}, ${group.holdUntil}, lane, ${at}, ${at}, ${at}, ${group.reminders},
      ${group.also ?? false}::boolean
    from (select case when ${kind}::text = 'itinerary' then (
      select min(n) from generate_series(1, 5) n where n not in (
        select lane from booking_group where account_id = ${accountId}::uuid
          and lane is not null)) end as lane) l
    where ${kind} = 'any_of' or lane is not null
    on conflict do nothing`

async function insertMember(tx: Db, groupId: string, position: number, member: NewGroupMember) {
  const guest = member.guest && JSON.stringify(member.guest.details)
  const { serviceId, session, minutes, leaderId } = member.wish ?? {}
  await query.execute(tx)`
    with member as (
      insert into group_member (group_id, position, booking_id, ask_id, undo_id, venue_id,
        slot_time, starts_at, party_size, service_id, session, minutes, leader_id)
      values (${groupId}, ${position}, ${member.bookingId}, ${member.askId}, ${member.undoId},
        ${member.venueId}, ${member.slotTime}, ${member.startsAt}, ${member.partySize},
        ${serviceId}, ${session}, ${minutes}, ${leaderId})
    )
    insert into booking_guest (booking_id, erase_after, ${guestColumns})
    select ${member.bookingId}::uuid, ${member.guest?.eraseAfter ?? null}::timestamptz,
      ${guestValues(guest)}
    where ${guest}::jsonb is not null`
}

/** Stores a member's request, once, while its group is opening bookings. */
export const insertMemberRequest = (db: Db, groupId: string, position: number, at: Date) =>
  query.execute(db)`
    insert into request (booking_id, account_id, operation, body_hash, door, from_agent, guest_ref,
      venue_id, slot_time, party_size, created_at, reminders, service_id, session, minutes,
      leader_id, also)
    select m.booking_id, g.account_id, case g.kind when 'any_of' then 'confirm' else 'hold' end,
      g.body_hash, g.door, g.from_agent, g.guest_ref, m.venue_id, m.slot_time, m.party_size, ${at},
      g.reminders, m.service_id, m.session, m.minutes, m.leader_id, g.also
    from booking_group g join group_member m on m.group_id = g.id
    where g.id = ${groupId} and m.position = ${position} and g.status in ('trying', 'holding')
    for share of g
    on conflict do nothing`

/** Whether the account may have another itinerary in progress. */
export const hasFreeLane = async (db: Db, accountId: string) =>
  (await query.value(db, int)`
    select count(lane) as live from booking_group
    where account_id = ${accountId} and lane is not null`) < MAX_ITINERARIES

const earlierGroup = z.object({
  id: z.uuid(),
  operation: z.string(),
  body_hash: z.instanceof(Buffer),
  created_at: z.date(),
  is_live: z.boolean(),
})
export type EarlierGroup = z.infer<typeof earlierGroup>

/**
 * The use that the account made of the idempotency key, in any `operation`, or without a key, its
 * group with the same natural key. `is_live`: the group or one of its bookings is in progress.
 */
export const selectOptionalEarlierGroup = (
  db: Db,
  { accountId, idempotencyKey, naturalKey }: NewGroup,
) =>
  query.optionalRow(db, earlierGroup)`
    select subject_id as id, operation, body_hash, created_at, true as is_live
    from idempotency_key where account_id = ${accountId} and key = ${idempotencyKey}
    union all
    select g.id, g.kind, g.body_hash, g.created_at, g.next_action_at is not null or exists (
      select from booking b where b.group_id = g.id
        and b.status in ('held', 'pending', 'offered', 'confirmed'))
    from booking_group g where g.account_id = ${accountId} and g.natural_key = ${naturalKey}`

/** Lets an equal request open another group. */
export const clearGroupNaturalKey = (db: Db, id: string) =>
  query.execute(db)`update booking_group set natural_key = null where id = ${id}`

const answerValue = z.custom<GroupAnswer>().nullable()

/** The stored answer of a group; null while the group is in progress. */
export const selectOptionalGroupAnswer = async (db: Db, id: string) =>
  (await query.optionalValue(db, answerValue)`
    select answer from booking_group where id = ${id}`) ?? null

const askedRow = z.object({ status: z.enum(groupStatuses), has_taken_place: z.boolean() })

/**
 * Records who cancels an itinerary, unless it is over, has taken place or has already been
 * cancelled. Returns its earlier state; undefined if the account has no such itinerary.
 */
export const askToCancel = (
  db: Db,
  { id, accountId, by, at }: { id: string; accountId: string; by: 'guest' | 'agent'; at: Date },
) =>
  query.optionalRow(db, askedRow)`
    with found as (
      select g.id, g.status, g.status = 'confirmed' and exists (
        select from booking b where b.group_id = g.id and b.status in ('completed', 'no_show')
      ) and not exists (
        select from booking b where b.group_id = g.id
          and b.status in ('held', 'pending', 'offered', 'confirmed')
      ) as has_taken_place
      from booking_group g
      where g.id = ${id} and g.account_id = ${accountId} and g.kind = 'itinerary'
    ), asked as (
      update booking_group g set cancel_by = ${by}, updated_at = ${at},
        status = case g.status when 'confirmed' then 'cancelling' else g.status end,
        next_action_at = coalesce(g.next_action_at, ${at})
      from found where g.id = found.id and not found.has_taken_place and g.cancel_by is null
        and g.status in ('holding', 'asking', 'confirmed')
    )
    select status, has_taken_place from found`
