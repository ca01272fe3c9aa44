import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { FeeTerms } from '../../availability/rules/service-terms.ts'
import type { OfferedSlot } from '../../availability/rules/slots.ts'
import type { VenueService } from '../../availability/store/venue-services.ts'
import { type BookingStatus, bookingStatuses, type CancelledBy } from '../../base/booking-status.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { confirmModes } from '../../base/venue-kinds.ts'
import { chargedTo } from '../../contract/local-times.ts'
import { feeStatuses } from '../../contract/public.ts'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import {
  changePhases,
  groupKinds,
  transitions,
  type VenueSync,
  venueSyncs,
} from '../rules/booking.ts'
import type { BookingStart, BookingState } from '../rules/booking-messages.ts'
import type { Schedule } from '../rules/due.ts'
import { type GuestNotice, guestNoticeOf } from '../rules/guest-notices.ts'
import { actsAt } from '../rules/in-time.ts'
import type { TimelineReason } from '../rules/timeline.ts'
import { agentHolds, itineraryHolds, reasons } from '../rules/timeline-reasons.ts'
import { feePayer } from './fee-payer.ts'
import { isNext, nextEntry, setHead, type TimelineStep, writeEntry } from './timeline.ts'

/** The columns that `stateRow` reads. */
export const stateColumns = sql`status, next_action_at, confirm_mode, answer_by, venue_sync,
  changes, slot_time, starts_at, party_size, notice_due, guest_notice, change_phase`

/** Parses a row as the state that a workflow needs. */
export const stateRow = z
  .object({
    status: z.enum(bookingStatuses),
    next_action_at: isoTime.nullable(),
    confirm_mode: z.enum(confirmModes),
    answer_by: isoTime.nullable(),
    venue_sync: z.enum(venueSyncs),
    notice_due: z.string().nullable(),
    guest_notice: z.string().nullable(),
    changes: z.int(),
    slot_time: z.string(),
    starts_at: isoTime,
    party_size: z.int(),
    change_phase: z.enum(changePhases).nullable(),
  })
  .transform(
    ({ status, answer_by: answerBy, change_phase: phase, ...row }): BookingState => ({
      status,
      nextActionAt: row.next_action_at,
      confirmMode: row.confirm_mode,
      ...((status === 'pending' || status === 'offered') && { answerBy }),
      ...((row.notice_due !== null || row.guest_notice !== null) && { noticeDue: true }),
      ...(row.venue_sync === 'withdraw_due' && { withdrawDue: true }),
      ...(phase !== null && { change: { phase, answerBy } }),
      ...(row.changes > 0 && {
        now: { slotTime: row.slot_time, startsAt: row.starts_at, partySize: row.party_size },
      }),
    }),
  )

/**
 * Sets the columns in the template that follows, under a new revision and with a timeline entry.
 * Compare-and-set on status and revision; throws on a mismatch, whereupon the step is retried.
 */
export const updateBooking =
  (tx: Db, from: LockedBooking, step: TimelineStep, at: Date, status = from.status) =>
  (...columns: Parameters<typeof sql>) => {
    const entry = nextEntry(from, step, { revision: from.revision + 1, status, at })
    return query.row(tx, stateRow)`
      with changed as (
        update booking set revision = revision + 1, updated_at = ${at}, ${setHead(entry)},
          ${sql(...columns)}
        where id = ${from.id} and status = ${from.status} and revision = ${from.revision}
          and ${isNext(entry)}
        returning id, ${stateColumns}
      ), ${writeEntry(entry)}
      select ${stateColumns} from changed`
  }

/** The state of a booking; undefined before it holds anything. */
export const selectOptionalBookingState = (db: Db, id: string) =>
  query.optionalRow(db, stateRow)`select ${stateColumns} from booking where id = ${id}`

/** By default, the reason is that the agent is booking. */
type HoldState = { holdUntil: Date | null; reason?: TimelineReason; at: Date }

/**
 * A booking begins as held, at revision 1. Its workflow's next action is due immediately or, for an
 * explicit hold, shortly after the hold's end.
 */
export function insertHeldBooking(
  tx: Db,
  start: BookingStart,
  { service, slot }: { service: VenueService; slot: OfferedSlot },
  { holdUntil, reason = reasonFor(start, holdUntil), at }: HoldState,
) {
  const { bookingId: id, partySize, slotTime, group } = start
  const when = slotTime.slice(0, 16).replace('T', ' at ')
  const where = `${partySize} at ${start.venueName}`
  const minutes = (slot.endsAt.getTime() - slot.startsAt.getTime()) / MINUTE_MS
  const booked = `${service.name}, ${minutes} min`
  const what = `A slot for ${where} was held: ${booked}, ${when} (${start.timezone}).`
  const nextActionAt = holdUntil ? actsAt(holdUntil) : at
  const none = { id, timeline_length: 0, timeline_head: null }
  const entry = nextEntry(none, { ...reason, what }, { revision: 1, status: 'held', at })
  return query.row(tx, stateRow)`
    with changed as (
      insert into booking (id, account_id, venue_id, service_id, rule_version, status, revision,
        slot_time, starts_at, ends_at, party_size, cancel_until, confirm_mode, hold_until,
        next_action_at, created_at, updated_at, timeline_length, timeline_head, group_id,
        group_kind)
      values (${id}, ${start.accountId}, ${start.venueId}, ${service.id},
        ${service.rule_version}, 'held', 1, ${slotTime}, ${slot.startsAt}, ${slot.endsAt},
        ${partySize}, ${slot.cancelUntil}, ${service.confirm_mode}, ${holdUntil},
        ${nextActionAt}, ${at}, ${at}, 1, decode(${entry}::jsonb ->> 'hash', 'hex'),
        ${group?.id}, ${group?.kind})
      returning id, ${stateColumns}
    ), ${writeEntry(entry)}
    select ${stateColumns} from changed`
}

function reasonFor({ group, timezone }: BookingStart, holdUntil: Date | null): TimelineReason {
  if (!holdUntil) return reasons.agentBooks
  return (group ? itineraryHolds : agentHolds)(holdUntil, timezone)
}

const reminderMinutes = z.array(z.int()).nullable()

const lockedRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  venue_id: z.uuid(),
  service_id: z.uuid(),
  timezone: z.string(),
  status: z.enum(bookingStatuses),
  revision: z.int(),
  starts_at: z.date(),
  ends_at: z.date(),
  party_size: z.int(),
  next_action_at: z.date().nullable(),
  /** what its service cost when it was booked */
  fee_terms: z.custom<FeeTerms>(),
  currency: z.string(),
  is_demo: z.boolean(),
  charged_to: chargedTo,
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
  /** how it must be paid for in advance but is not */
  unpaid: z.enum(['x402', 'card']).nullable(),
  /** what is authorised on a card for its fee */
  authorized_minor: z.int().nullable(),
  /** the highest fee that its card pays once it is confirmed; null without a limit */
  card_limit_minor: z.int().nullable(),
})
export type LockedBooking = z.infer<typeof lockedRow>

/** The parts of rules that make up `FeeTerms`. */
export const feeTerms = (rules: Sql) => sql`json_strip_nulls(json_build_object(
  'price', ${rules} -> 'price', 'lengths', ${rules} -> 'lengths',
  'spend_per_guest_minor', ${rules} -> 'spend_per_guest_minor'))`

/** The booking with everything that determines its steps, locked until the transaction ends. */
export const selectBookingForUpdate = (tx: Db, id: string) =>
  query.row(tx, lockedRow)`
    select b.id, b.account_id, b.venue_id, b.service_id, a.timezone, b.status, b.revision,
      b.starts_at, b.ends_at, b.party_size, b.next_action_at,
      ${feeTerms(sql`o.rules`)} as fee_terms,
      a.currency, v.is_demo, ${feePayer(sql`v.is_demo`, sql`r.paid_by`)} as charged_to,
      b.confirm_mode, b.venue_sync, b.answer_by, b.asked_revision,
      b.venue_answered_at, b.cancel_until, b.hold_until, b.hold_extended,
      b.changes, b.slot_time, r.reminders, b.reminded_until, b.timeline_length, b.timeline_head,
      b.group_id, b.group_kind, g.answer_by as group_answer_by, b.fee_status, b.change_phase,
      b.change_revision, c.amount_minor as authorized_minor,
      case when r.paid_by = 'card' and t.tier <> 'pro' and not v.is_demo
        then coalesce(c.amount_minor, 0) end as card_limit_minor,
      case when r.paid_by = 'card' and c.id is null and not v.is_demo then 'card'
        when r.paid_by = 'x402' and not exists (
          select from x402_payment p where p.booking_id = b.id) then 'x402' end as unpaid
    from booking b
    join request r on r.booking_id = b.id
    join service_rules o on o.service_id = b.service_id and o.version = b.rule_version
    join venue v on v.id = b.venue_id
    join area a on a.slug = v.area_slug
    join account t on t.id = b.account_id
    left join booking_group g on g.id = b.group_id
    left join payment c on c.booking_id = b.id and c.state in ('authorized', 'succeeded')
    where b.id = ${id}
    for update of b`

/**
 * For `update booking set`: queues an email to the guest, if they want emails. It replaces an
 * unsent one, as each describes the booking's current state.
 */
export const setGuestNotice = (kind: GuestNotice | null) => {
  const wants = sql`${kind}::text is not null and exists (
    select from booking_guest g where g.booking_id = booking.id and g.notify)`
  return sql`guest_notice = case when ${wants} then ${kind} else guest_notice end,
    guest_notice_number = guest_notice_number + case when ${wants} then 1 else 0 end`
}

/** A transition with its other changes; missing fields stay as they are. */
export type Move = SyncChange &
  TimelineReason & {
    to: BookingStatus
    nextActionAt: Date | null
    reasonCode?: string
    feeStatus?: 'accrued' | 'reversed'
    cancelledBy?: CancelledBy
    answerBy?: Date
  }

/** What the venue knows, and when it answered, by its own clock. */
export type SyncChange = { venueSync?: VenueSync; venueAnsweredAt?: Date }

/** Changes a booking's status if allowed. If it was held, call `uncountHold` at the very end. */
export function updateBookingStatus(tx: Db, from: LockedBooking, move: Move, at: Date) {
  const { to } = move
  if (!transitions[from.status].includes(to))
    throw new Error(`no move from ${from.status} to ${to}`)
  return updateBooking(tx, from, move, at, to)`
    status = ${to}, next_action_at = ${move.nextActionAt},
    reason_code = coalesce(${move.reasonCode}, reason_code),
    fee_status = coalesce(${move.feeStatus}, fee_status),
    cancelled_by = coalesce(${move.cancelledBy}, cancelled_by),
    answer_by = coalesce(${move.answerBy}, answer_by),
    venue_sync = coalesce(${move.venueSync}, venue_sync),
    venue_answered_at = coalesce(${move.venueAnsweredAt}, venue_answered_at),
    asked_revision = case when ${to} = 'pending' then revision + 1 else asked_revision end,
    reminded_until = case when ${to} = 'confirmed' then ${at} else reminded_until end,
    ${setGuestNotice(guestNoticeOf(from, move))}, change_phase = null, change_revision = null`
}

const scheduleRow = lockedRow.pick({
  id: true,
  starts_at: true,
  ends_at: true,
  reminders: true,
  reminded_until: true,
})

/** What determines when something is due for a confirmed booking. */
export const selectSchedule = (db: Db, id: string): Promise<Schedule> =>
  query.row(db, scheduleRow)`
    select b.id, b.starts_at, b.ends_at, r.reminders, b.reminded_until
    from booking b join request r on r.booking_id = b.id where b.id = ${id}`

/**
 * Stores how far reminders have been sent, the next due time, and the guest's notice. The agent
 * sees none of these.
 */
export const updateRemindedUntil = (
  tx: Db,
  { id, revision }: LockedBooking,
  { until, guestNotice }: { until: Date | null; guestNotice: GuestNotice | null },
  nextActionAt: Date,
) =>
  query.row(tx, stateRow)`
    update booking set reminded_until = ${until}, next_action_at = ${nextActionAt},
      ${setGuestNotice(guestNotice)}
    where id = ${id} and revision = ${revision} and status = 'confirmed'
    returning ${stateColumns}`
