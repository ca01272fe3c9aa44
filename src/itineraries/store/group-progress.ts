import sql from 'sql-template-tag'
import { z } from 'zod'
import { groupKinds } from '../../bookings/rules/booking.ts'
import type { ConfirmAnswer } from '../../bookings/rules/booking-messages.ts'
import { bookingStatuses, cancellers } from '../../contract/rules/booking-status.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import { confirmModes } from '../../contract/rules/venue-kinds.ts'
import {
  type Db,
  execute,
  queryOptionalRow,
  queryRow,
  queryRows,
} from '../../platform/database/sql.ts'
import type { GroupAnswer, GroupStart } from '../rules/group-messages.ts'
import {
  type GroupStatus,
  groupStatuses,
  groupTransitions,
  isInProgress,
  type MemberStatus,
} from '../rules/groups.ts'

const groupRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  kind: z.enum(groupKinds),
  status: z.enum(groupStatuses),
  answer_by: z.date().nullable(),
  hold_until: z.date().nullable(),
  cancel_by: z.enum(['guest', 'agent']).nullable(),
  refusal: z.custom<RefusalData>().nullable(),
})
export type LockedGroup = z.infer<typeof groupRow>

/** The group with what a step needs to decide on it, locked until the transaction ends; no member is begun meanwhile. */
export const selectGroupForUpdate = (tx: Db, id: string): Promise<LockedGroup> =>
  queryRow(tx, groupRow)`
    select id, account_id, kind, status, answer_by, hold_until, cancel_by, refusal
    from booking_group where id = ${id} for no key update`

const memberRow = z
  .object({
    position: z.int(),
    booking_id: z.uuid(),
    is_begun: z.boolean(),
    answer: z.custom<ConfirmAnswer>().nullable(),
    booking_status: z.enum(bookingStatuses).nullable(),
    confirm_mode: z.enum(confirmModes).nullable(),
    cancelled_by: z.enum(cancellers).nullable(),
    refusal: z.custom<RefusalData>().nullable(),
  })
  .transform(({ is_begun, answer, booking_status, ...row }) => ({
    position: row.position,
    bookingId: row.booking_id,
    status: memberStatus(is_begun, answer, booking_status),
    confirmMode: row.confirm_mode,
    cancelledBy: row.cancelled_by,
    refusal: row.refusal,
  }))
export type MemberState = z.infer<typeof memberRow>

function memberStatus(
  isBegun: boolean,
  answer: ConfirmAnswer | null,
  booking: MemberStatus | null,
): MemberStatus {
  if (booking) return booking
  if (!isBegun) return 'waiting'
  return answer ? 'refused' : 'opening'
}

/** The members of a group in their order; `refusal` is why one came to nothing, where it was asked for and refused. */
export const selectMembers = (db: Db, groupId: string): Promise<MemberState[]> =>
  queryRows(db, memberRow)`
    select m.position, m.booking_id, r.booking_id is not null as is_begun, r.answer,
      b.status as booking_status, b.confirm_mode, b.cancelled_by,
      coalesce(c.answer -> 'refusal', r.answer -> 'refusal') as refusal
    from group_member m
    left join request r on r.booking_id = m.booking_id
    left join booking b on b.id = m.booking_id
    left join command c on c.id = m.ask_id
    where m.group_id = ${groupId} order by m.position`

/** A move of a group along the moves that there are. `refusal` is why it is undone, `answer` what its request is told. */
export type GroupMove = {
  to: GroupStatus
  refusal: RefusalData | undefined
  answer: GroupAnswer | undefined
  at: Date
}

/** Moves a locked group; throws when there is no such move. What was stored first, stays. */
export async function updateGroupStatus(
  tx: Db,
  { id, status }: LockedGroup,
  { to, refusal, answer, at }: GroupMove,
): Promise<void> {
  if (!groupTransitions[status].includes(to)) throw new Error(`no move from ${status} to ${to}`)
  await execute(tx)`
    update booking_group set status = ${to}, refusal = coalesce(refusal,
      ${refusal ? JSON.stringify(refusal) : null}),
      answer = coalesce(answer, ${answer ? JSON.stringify(answer) : null}), next_action_at = case
        when ${isInProgress(to)} then ${at}::timestamptz end,
      lane = case when ${isInProgress(to)} and ${to} <> 'cancelling'
        then lane end, updated_at = ${at}
    where id = ${id}`
}

/** Erases the guests of members whose turn never came. */
export async function deleteGuestsNeverTold(tx: Db, groupId: string): Promise<void> {
  await execute(tx)`
    delete from booking_guest where booking_id in (
    select m.booking_id from group_member m left join request r using (booking_id)
    where m.group_id = ${groupId} and r.booking_id is null)`
}

const startRow = z
  .object({
    id: z.uuid(),
    account_id: z.uuid(),
    kind: z.enum(groupKinds),
    answer_by: z.date().nullable(),
    members: z.custom<GroupStart['members']>(),
  })
  .transform(
    (row): GroupStart => ({
      groupId: row.id,
      accountId: row.account_id,
      kind: row.kind,
      answerBy: row.answer_by?.toISOString() ?? null,
      members: row.members,
    }),
  )

const startColumns = sql`g.id, g.account_id, g.kind, g.answer_by, (
  select jsonb_agg(jsonb_build_object('bookingId', m.booking_id, 'venueName', v.name,
    'venueSlug', v.slug, 'slotTime', m.slot_time, 'partySize', m.party_size) order by m.position)
  from group_member m join venue v on v.id = m.venue_id where m.group_id = g.id) as members`

/** What the workflow of a group is started with. */
export const selectGroupStart = (db: Db, id: string): Promise<GroupStart> =>
  queryRow(db, startRow)`select ${startColumns} from booking_group g where g.id = ${id}`

/** Groups in progress whose last step was before `before`: their workflow is lost, or waits. At most `limit`. */
export const selectLostGroups = (db: Db, before: Date, limit: number): Promise<GroupStart[]> =>
  queryRows(db, startRow)`
    select ${startColumns} from booking_group g
    where g.next_action_at < ${before} order by g.next_action_at limit ${limit}`

const memberIds = z.object({
  booking_id: z.uuid(),
  ask_id: z.uuid(),
  undo_id: z.uuid(),
  cancel_by: z.enum(['guest', 'agent']).nullable(),
})

/** The ids of a member that were made with its group, and who wants the group cancelled. */
export const selectOptionalMemberIds = (db: Db, groupId: string, position: number) =>
  queryOptionalRow(db, memberIds)`
    select m.booking_id, m.ask_id, m.undo_id, g.cancel_by
    from group_member m join booking_group g on g.id = m.group_id
    where m.group_id = ${groupId} and m.position = ${position}`

/** Writes down what a group wants of one of its bookings, once. */
export async function insertMemberCommand(
  db: Db,
  command: {
    id: string
    bookingId: string
    kind: 'confirm' | 'cancel'
    input: Record<string, unknown>
    at: Date
  },
): Promise<void> {
  await execute(db)`
    insert into command (id, booking_id, kind, input, door, from_agent, created_at)
    select ${command.id}, booking_id, ${command.kind}, ${JSON.stringify(command.input)}, door,
      from_agent, ${command.at} from request where booking_id = ${command.bookingId}
    on conflict do nothing`
}

/** The group's workflow works on it: the sweep looks for those that have long been silent. */
export async function noteGroupAlive(tx: Db, groupId: string, at: Date): Promise<void> {
  await execute(tx)`
    update booking_group set next_action_at = greatest(next_action_at, ${at})
    where id = ${groupId} and next_action_at is not null`
}
