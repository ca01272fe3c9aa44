import { type Db, queryRow } from '../../platform/database/sql.ts'
import type { ChangePhase } from '../rules/booking.ts'
import type { BookingState } from '../rules/booking-messages.ts'
import type { TimelineReason } from '../rules/timeline.ts'
import { agentExtends, reasons } from '../rules/timeline-reasons.ts'
import type { Version } from './bookings.ts'
import { stateRow, withTimelineEntry } from './bookings.ts'
import { isNext, setHead, stepEntry } from './timeline.ts'

/** Extends a hold to `until`. It does not count as a change, because it can happen only once. */
export async function updateHoldUntil(
  tx: Db,
  from: Version,
  { until, at }: { until: Date; at: Date },
): Promise<BookingState> {
  return queryRow(
    tx,
    stateRow,
    withTimelineEntry(
      `update booking set revision = revision + 1, hold_until = $3, hold_extended = true,
         next_action_at = $3, updated_at = $4, ${setHead(5)}
       where id = $1 and status = 'held' and revision = $2 and not hold_extended and ${isNext(5)}`,
      5,
    ),
    [from.id, from.revision, until, at, stepEntry(from, { ...agentExtends(until), at }, 'held')],
  )
}

/** What an amended booking becomes. */
export type Amendment = {
  offeringId: string
  ruleVersion: number
  slotTime: string
  startsAt: Date
  endsAt: Date
  cancelUntil: Date
  partySize: number
  nextActionAt: Date | null
  /** reminders up to this moment are not sent again */
  remindedUntil: Date | null
  /** when its venue agreed, by the venue's clock */
  venueAnsweredAt?: Date
  at: Date
} & TimelineReason

/**
 * Moves a booking to another slot or party size; `booking.changes` allows 50. What its venue was
 * asked for counts as agreed.
 */
export async function amendBooking(tx: Db, from: Version, to: Amendment): Promise<BookingState> {
  return queryRow(
    tx,
    stateRow,
    withTimelineEntry(
      `update booking set revision = revision + 1, changes = changes + 1, offering_id = $4,
         rule_version = $5, slot_time = $6, starts_at = $7, ends_at = $8, cancel_until = $9,
         party_size = $10, next_action_at = $11, updated_at = $12, reminded_until = $13,
         venue_answered_at = coalesce($15, venue_answered_at),
         asked_revision = coalesce(change_revision, asked_revision),
         change_phase = null, change_revision = null, ${setHead(14)}
       where id = $1 and status = $2 and revision = $3 and ${isNext(14)}`,
      14,
    ),
    [
      from.id,
      from.status,
      from.revision,
      to.offeringId,
      to.ruleVersion,
      to.slotTime,
      to.startsAt,
      to.endsAt,
      to.cancelUntil,
      to.partySize,
      to.nextActionAt,
      to.at,
      to.remindedUntil,
      stepEntry(from, to, from.status),
      to.venueAnsweredAt ?? null,
    ],
  )
}

/**
 * The next phase of a change of a confirmed booking; `isAgreed` when its venue has agreed to what
 * it was told last.
 */
export type ChangeStep = {
  phase: ChangePhase | null
  answerBy?: Date
  isAgreed?: boolean
  venueAnsweredAt?: Date
  at: Date
} & TimelineReason

/** Takes a change one phase further, under a new revision; the booking itself stays. */
export async function updateChange(tx: Db, from: Version, to: ChangeStep): Promise<BookingState> {
  return queryRow(
    tx,
    stateRow,
    withTimelineEntry(
      `update booking set revision = revision + 1, change_phase = $3,
         change_revision = case when $3::text is not null then revision + 1 end,
         answer_by = coalesce($4, answer_by),
         asked_revision = case when $5 then change_revision else asked_revision end,
         venue_answered_at = coalesce($6, venue_answered_at), updated_at = $7, ${setHead(8)}
       where id = $1 and status = 'confirmed' and revision = $2 and ${isNext(8)}`,
      8,
    ),
    [
      from.id,
      from.revision,
      to.phase,
      to.answerBy ?? null,
      to.isAgreed ?? false,
      to.venueAnsweredAt ?? null,
      to.at,
      stepEntry(from, to, 'confirmed'),
    ],
  )
}

/**
 * Records that the fee of a confirmed booking is owed: all parts of its itinerary are confirmed.
 */
export async function updateFeeAccrued(tx: Db, from: Version, at: Date): Promise<BookingState> {
  const step = { ...reasons.itineraryStands, feeStatus: 'accrued', at } as const
  return queryRow(
    tx,
    stateRow,
    withTimelineEntry(
      `update booking set fee_status = 'accrued', revision = revision + 1, updated_at = $3,
         ${setHead(4)}
       where id = $1 and status = 'confirmed' and revision = $2 and fee_status = 'none'
         and ${isNext(4)}`,
      4,
    ),
    [from.id, from.revision, at, stepEntry(from, step, 'confirmed')],
  )
}
