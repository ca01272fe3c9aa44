import sql from 'sql-template-tag'
import { z } from 'zod'
import type { OfferedSlot } from '../../availability/rules/slots.ts'
import type { Offering } from '../../availability/store/offerings.ts'
import { feeStatuses } from '../../contract/public.ts'
import {
  type BookingStatus,
  bookingStatuses,
  type CancelledBy,
} from '../../contract/rules/booking-status.ts'
import { confirmModes } from '../../contract/rules/venue-kinds.ts'
import { type Db, queryOptionalRow, queryRow } from '../../platform/database/sql.ts'
import { canMove, changePhases, groupKinds, type VenueSync, venueSyncs } from '../rules/booking.ts'
import type { BookingStart, BookingState } from '../rules/booking-messages.ts'
import type { TimelineReason } from '../rules/timeline.ts'
import { agentHolds, holdWords, itineraryHolds, reasons } from '../rules/timeline-reasons.ts'
import { firstEntry, isNext, setHead, stepEntry, writeEntry } from './timeline.ts'

/** The columns that `stateRow` reads. */
export const stateColumns = sql`status, next_action_at, confirm_mode, answer_by, venue_sync, changes, slot_time,
  starts_at, party_size, notice_due, change_phase`

/** A row as the state that the workflow needs. */
export const stateRow = z
  .object({
    status: z.enum(bookingStatuses),
    next_action_at: z.date().nullable(),
    confirm_mode: z.enum(confirmModes),
    answer_by: z.date().nullable(),
    venue_sync: z.enum(venueSyncs),
    notice_due: z.string().nullable(),
    changes: z.int(),
    slot_time: z.string(),
    starts_at: z.date(),
    party_size: z.int(),
    change_phase: z.enum(changePhases).nullable(),
  })
  .transform(
    (row): BookingState => ({
      status: row.status,
      nextActionAt: row.next_action_at?.toISOString() ?? null,
      confirmMode: row.confirm_mode,
      ...((row.status === 'pending' || row.status === 'offered') && {
        answerBy: row.answer_by?.toISOString() ?? null,
      }),
      ...(row.notice_due !== null && { noticeDue: true }),
      ...(row.venue_sync === 'withdraw_due' && { withdrawDue: true }),
      ...(row.change_phase !== null && {
        change: { phase: row.change_phase, answerBy: row.answer_by?.toISOString() ?? null },
      }),
      ...(row.changes > 0 && {
        now: {
          slotTime: row.slot_time,
          startsAt: row.starts_at.toISOString(),
          partySize: row.party_size,
        },
      }),
    }),
  )

/** Runs the statement that follows, which changes one booking, and adds `entry` to its timeline. */
export const withTimelineEntry =
  (tx: Db, entry: string) =>
  (...change: Parameters<typeof sql>) =>
    queryRow(tx, stateRow)`
    with changed as (${sql(...change)} returning id, ${stateColumns}), ${writeEntry(entry)}
    select ${stateColumns} from changed`

/** The state of the booking, undefined before it holds anything. */
export async function selectOptionalBookingState(
  db: Db,
  id: string,
): Promise<BookingState | undefined> {
  return queryOptionalRow(db, stateRow)`select ${stateColumns} from booking where id = ${id}`
}

/** `reason` when it is not the agent that books at this moment. */
type Held = { holdUntil: Date | null; reason?: TimelineReason; at: Date }

/**
 * A booking begins held, at revision 1. Its workflow's next action is due at once or, for an
 * explicit hold, at its end.
 */
export async function insertHeldBooking(
  tx: Db,
  start: BookingStart,
  { offering, slot }: { offering: Offering; slot: OfferedSlot },
  { holdUntil, reason = reasonFor(start, holdUntil), at }: Held,
): Promise<BookingState> {
  const entry = firstEntry(start.bookingId, { ...reason, what: holdWords(start) }, at)
  return withTimelineEntry(tx, entry)`
    insert into booking (id, account_id, venue_id, offering_id, rule_version, status, revision,
      slot_time, starts_at, ends_at, party_size, cancel_until, confirm_mode, hold_until,
      next_action_at, created_at, updated_at, timeline_length, timeline_head,
      group_id, group_kind)
    values (${start.bookingId}, ${start.accountId}, ${start.venueId}, ${offering.id},
      ${offering.rule_version}, 'held', 1, ${start.slotTime}, ${slot.startsAt}, ${slot.endsAt},
      ${start.partySize}, ${slot.cancelUntil}, ${offering.confirm_mode}, ${holdUntil},
      ${holdUntil ?? at}, ${at}, ${at}, 1, decode(${entry}::jsonb ->> 'hash', 'hex'),
      ${start.group?.id ?? null}, ${start.group?.kind ?? null})`
}

function reasonFor({ group }: BookingStart, holdUntil: Date | null): TimelineReason {
  if (!holdUntil) return reasons.agentBooks
  return (group ? itineraryHolds : agentHolds)(holdUntil)
}

/** Minutes before the slot; null for the network's default. */
export const reminderMinutes = z.array(z.int()).nullable()

const lockedRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  venue_id: z.uuid(),
  offering_id: z.uuid(),
  timezone: z.string(),
  status: z.enum(bookingStatuses),
  revision: z.int(),
  starts_at: z.date(),
  ends_at: z.date(),
  party_size: z.int(),
  next_action_at: z.date().nullable(),
  spend_per_guest_minor: z.int(),
  currency: z.string(),
  is_demo: z.boolean(),
  confirm_mode: z.enum(confirmModes),
  venue_sync: z.enum(venueSyncs),
  answer_by: z.date().nullable(),
  asked_revision: z.int().nullable(),
  venue_answered_at: z.date().nullable(),
  cancel_until: z.date(),
  hold_until: z.date().nullable(),
  hold_extended: z.boolean(),
  reminders: reminderMinutes,
  reminded_until: z.date().nullable(),
  changes: z.int(),
  slot_time: z.string(),
  timeline_length: z.int(),
  timeline_head: z.instanceof(Buffer).nullable(),
  group_id: z.uuid().nullable(),
  group_kind: z.enum(groupKinds).nullable(),
  group_answer_by: z.date().nullable(),
  fee_status: z.enum(feeStatuses),
  change_phase: z.enum(changePhases).nullable(),
  change_revision: z.int().nullable(),
})
export type LockedBooking = z.infer<typeof lockedRow>

/** The booking with everything a step decides by, locked until the transaction ends. */
export async function selectBookingForUpdate(tx: Db, id: string): Promise<LockedBooking> {
  return queryRow(tx, lockedRow)`
    select b.id, b.account_id, b.venue_id, b.offering_id, a.timezone, b.status, b.revision,
      b.starts_at, b.ends_at, b.party_size,
      b.next_action_at, (o.rules ->> 'spend_per_guest_minor')::bigint as spend_per_guest_minor,
      a.currency, v.is_demo, b.confirm_mode, b.venue_sync, b.answer_by, b.asked_revision,
      b.venue_answered_at, b.cancel_until, b.hold_until, b.hold_extended,
      b.changes, b.slot_time, r.reminders, b.reminded_until, b.timeline_length, b.timeline_head,
      b.group_id, b.group_kind, g.answer_by as group_answer_by, b.fee_status, b.change_phase,
      b.change_revision
    from booking b
    join request r on r.booking_id = b.id
    join offering_rules o on o.offering_id = b.offering_id and o.version = b.rule_version
    join venue v on v.id = b.venue_id
    join area a on a.slug = v.area_slug
    left join booking_group g on g.id = b.group_id
    where b.id = ${id}
    for update of b`
}

/** A transition with whatever else changes; what is left out stays. */
export type Move = {
  to: BookingStatus
  nextActionAt: Date | null
  reasonCode?: string
  feeStatus?: 'accrued' | 'reversed'
  cancelledBy?: CancelledBy
  answerBy?: Date
  at: Date
} & SyncChange &
  TimelineReason

/** What the venue knows, and since when by the venue's clock. */
export type SyncChange = { venueSync?: VenueSync; venueAnsweredAt?: Date }

/** The fields of a locked booking that a change compares or extends. */
export type Version = Pick<
  LockedBooking,
  | 'id'
  | 'account_id'
  | 'status'
  | 'revision'
  | 'hold_until'
  | 'group_id'
  | 'timeline_length'
  | 'timeline_head'
>

/**
 * Compare-and-set on status and revision, along the allowed transitions; throws otherwise, and the
 * step is retried. A step that moves a held booking calls `uncountHold`, last.
 */
export async function updateBookingStatus(
  tx: Db,
  from: Version,
  move: Move,
): Promise<BookingState> {
  if (!canMove(from.status, move.to)) throw new Error(`no move from ${from.status} to ${move.to}`)
  const entry = stepEntry(from, move, move.to)
  return withTimelineEntry(tx, entry)`
    update booking set status = ${move.to}, revision = revision + 1,
      next_action_at = ${move.nextActionAt},
      reason_code = coalesce(${move.reasonCode ?? null}, reason_code), updated_at = ${move.at},
      fee_status = coalesce(${move.feeStatus ?? null}, fee_status),
      cancelled_by = coalesce(${move.cancelledBy ?? null}, cancelled_by),
      answer_by = coalesce(${move.answerBy ?? null}, answer_by),
      venue_sync = coalesce(${move.venueSync ?? null}, venue_sync),
      venue_answered_at = coalesce(${move.venueAnsweredAt ?? null}, venue_answered_at),
      asked_revision =
        case when ${move.to} = 'pending' then revision + 1 else asked_revision end,
      reminded_until =
        case when ${move.to} = 'confirmed' then ${move.at} else reminded_until end,
      change_phase = null, change_revision = null, ${setHead(entry)}
    where id = ${from.id} and status = ${from.status} and revision = ${from.revision}
      and ${isNext(entry)}`
}
