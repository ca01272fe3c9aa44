import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { bookingStatuses, cancellers } from '../../base/booking-status.ts'
import { type ErrorCode, errorCatalogue } from '../../base/error-catalogue.ts'
import { type RefusalData, refusalData } from '../../base/errors.ts'
import { confirmModes } from '../../base/venue-kinds.ts'
import { groupKinds } from '../../bookings/rules/booking.ts'
import { aheadMs, aheadOf, isInRealTime, onClock } from '../../platform/database/account-time.ts'
import { isoTime, timeInPage } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'
import type { GroupAnswer, GroupStart } from '../rules/group-messages.ts'
import { type GroupStatus, groupStatuses, groupTransitions, isInProgress } from '../rules/groups.ts'

const refusal = z.custom<RefusalData>().nullable()
const cancelBy = z.enum(['guest', 'agent']).nullable()

const groupRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  kind: z.enum(groupKinds),
  status: z.enum(groupStatuses),
  answer_by: z.date().nullable(),
  hold_until: z.date().nullable(),
  cancel_by: cancelBy,
  refusal,
})
export type LockedGroup = z.infer<typeof groupRow>

/** The group, locked until the transaction ends, so that none of its bookings can be opened. */
export const selectGroupForUpdate = (tx: Db, id: string) =>
  query.row(tx, groupRow)`
    select id, account_id, kind, status, answer_by, hold_until, cancel_by, refusal
    from booking_group where id = ${id} for no key update`

/** Whether it was the account's payment that failed, which would fail for other slots as well. */
const isPaymentError = (code: string | null | undefined): code is ErrorCode =>
  code != null && errorCatalogue[code as ErrorCode]?.status === 402

const memberRow = z
  .object({
    position: z.int(),
    bookingId: z.uuid(),
    status: z.enum(['waiting', 'opening', 'refused', ...bookingStatuses]),
    confirmMode: z.enum(confirmModes).nullable(),
    cancelledBy: z.enum(cancellers).nullable(),
    refusal,
    unpaidCode: z.string().nullable(),
  })
  .transform(({ unpaidCode, ...row }) => {
    const unpaid = isPaymentError(unpaidCode) ? refusalData(unpaidCode) : null
    const why = row.refusal ?? unpaid
    const isFinal = why?.code === 'similar_booking' || isPaymentError(why?.code)
    return { ...row, refusal: why, isFinal }
  })
export type MemberState = z.infer<typeof memberRow>

/**
 * A group's members in order. `refusal` is why a member was refused, if it was. A part whose fee is
 * not authorised yet counts as opening.
 */
export const selectMembers = (db: Db, groupId: string) =>
  query.rows(db, memberRow)`
    select m.position, m.booking_id as "bookingId", b.confirm_mode as "confirmMode",
      b.cancelled_by as "cancelledBy",
      case b.status when 'failed' then b.reason_code end as "unpaidCode",
      coalesce(c.answer -> 'refusal', r.answer -> 'refusal') as refusal,
      coalesce(case when b.status = 'held' and r.paid_by = 'card' and not v.is_demo
          and not exists (select from payment p
            where p.booking_id = b.id and p.state in ('authorized', 'succeeded'))
        then 'opening' else b.status end, case when r.booking_id is null then 'waiting'
        when r.answer is null then 'opening' else 'refused' end) as status
    from group_member m
    left join request r on r.booking_id = m.booking_id
    left join booking b on b.id = m.booking_id
    left join command c on c.id = m.ask_id
    join venue v on v.id = m.venue_id
    where m.group_id = ${groupId} order by m.position`

/** `refusal` is why the group is being undone; `answer` is the answer to its request. */
export type GroupMove = {
  to: GroupStatus
  refusal: RefusalData | undefined
  answer: GroupAnswer | undefined
  at: Date
}

/** Moves a locked group, if the rules allow it. An earlier refusal or answer is kept. */
export async function updateGroupStatus(
  tx: Db,
  { id, status }: LockedGroup,
  { to, refusal, answer, at }: GroupMove,
): Promise<void> {
  if (!groupTransitions[status].includes(to)) throw new Error(`no move from ${status} to ${to}`)
  const isOpen = isInProgress(to)
  await query.execute(tx)`
    update booking_group set status = ${to}, updated_at = ${at},
      refusal = coalesce(refusal, ${refusal}), answer = coalesce(answer, ${answer}),
      next_action_at = case when ${isOpen} then ${at}::timestamptz end,
      lane = case when ${isOpen && to !== 'cancelling'} then lane end
    where id = ${id}`
}

/** Erases the guest details of members whose turn never came. */
export const deleteGuestsNeverTold = (tx: Db, groupId: string) =>
  query.execute(tx)`
    delete from booking_guest where booking_id in (
      select m.booking_id from group_member m left join request r using (booking_id)
      where m.group_id = ${groupId} and r.booking_id is null)`

const startRow = z
  .object({
    groupId: z.uuid(),
    accountId: z.uuid(),
    kind: z.enum(groupKinds),
    answerBy: isoTime.nullable(),
    members: z.custom<GroupStart['members']>(),
    ahead: aheadMs,
  })
  .transform(({ ahead, ...start }): GroupStart => ({ ...start, ...onClock(ahead) }))

const starts = sql`
  select g.id as "groupId", g.account_id as "accountId", g.kind, g.answer_by as "answerBy",
    ${aheadOf(sql`g.account_id`)} as ahead, (
    select jsonb_agg(jsonb_build_object('bookingId', m.booking_id, 'venueName', v.name,
      'venueSlug', v.slug, 'slotTime', m.slot_time, 'partySize', m.party_size) order by m.position)
    from group_member m join venue v on v.id = m.venue_id where m.group_id = g.id) as members
  from booking_group g`

/** The input of a group's workflow. */
export const selectGroupStart = (db: Db, id: string): Promise<GroupStart> =>
  query.row(db, startRow)`${starts} where g.id = ${id}`

/** The inputs for the workflows of an account's groups `g` that match. */
export const selectGroupStarts = (db: Db, accountId: string, which: Sql) =>
  query.rows(db, startRow)`${starts} where g.account_id = ${accountId} and ${which}`

/** The states of a group's bookings, which its workflow checks for changes. */
export const statesOf = (members: readonly MemberState[]): string =>
  members
    .map(({ status }) => (status === 'waiting' || status === 'opening' ? 'open' : status))
    .join()

const lostRow = z.object({ id: z.uuid(), since: timeInPage, hasMoved: z.boolean() })
/** When a group must have checked its bookings: since `moved` if one has changed, else `still`. */
type LostBefore = { moved: Date; still: Date }

/**
 * Groups in progress that have not noticed a change in their bookings, or whose workflow may be
 * lost, with the time of their last check. Only ids and times, so that one unreadable row does not
 * hide the others on its page.
 */
export const selectLostGroups = (db: Db, before: LostBefore, { after, limit }: PageOfIds) =>
  query.rows(db, lostRow)`
    select id, since, "hasMoved" from (
      select g.id, g.next_action_at as since, g.member_states is distinct from (
        select string_agg(coalesce(b.status,
          case when r.answer is null then 'open' else 'refused' end), ',' order by m.position)
        from group_member m
        left join request r on r.booking_id = m.booking_id
        left join booking b on b.id = m.booking_id
        where m.group_id = g.id) as "hasMoved"
      from booking_group g
      where g.next_action_at < ${before.moved} and ${isInRealTime(sql`g.account_id`)}) as late
    where ("hasMoved" or since < ${before.still}) and (${after}::uuid is null or id > ${after})
    order by id limit ${limit}`

const memberIds = z.object({
  booking_id: z.uuid(),
  ask_id: z.uuid(),
  undo_id: z.uuid(),
  cancel_by: cancelBy,
})

/** The ids of a member, created with its group, and who cancelled the group. */
export const selectOptionalMemberIds = (db: Db, groupId: string, position: number) =>
  query.optionalRow(db, memberIds)`
    select m.booking_id, m.ask_id, m.undo_id, g.cancel_by
    from group_member m join booking_group g on g.id = m.group_id
    where m.group_id = ${groupId} and m.position = ${position}`

type MemberCommand = {
  id: string
  bookingId: string
  kind: 'confirm' | 'cancel'
  input: Record<string, unknown>
  at: Date
}

/** Stores a group's command for one of its bookings, once. */
export const insertMemberCommand = (db: Db, { id, bookingId, kind, input, at }: MemberCommand) =>
  query.execute(db)`
    insert into command (id, booking_id, kind, input, door, from_agent, created_at)
    select ${id}, booking_id, ${kind}, ${input}, door, from_agent, ${at}
    from request where booking_id = ${bookingId}
    on conflict do nothing`

/** Records, for the sweep, that a group's workflow is alive, and which `states` it has seen. */
export const noteGroupAlive = (db: Db, groupId: string, at: Date, states: string | null) =>
  query.execute(db)`
    update booking_group set next_action_at = greatest(next_action_at, ${at}),
      member_states = coalesce(${states}, member_states)
    where id = ${groupId} and next_action_at is not null`
