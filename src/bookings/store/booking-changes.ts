import type { Db } from '../../platform/database/sql.ts'
import type { ChangePhase } from '../rules/booking.ts'
import type { BookingState } from '../rules/booking-messages.ts'
import type { TimelineReason } from '../rules/timeline.ts'
import { agentExtends, reasons } from '../rules/timeline-reasons.ts'
import type { Version } from './bookings.ts'
import { withTimelineEntry } from './bookings.ts'
import { isNext, setHead, stepEntry } from './timeline.ts'

/** Extends a hold to `until`. It does not count as a change, because it can happen only once. */
export async function updateHoldUntil(
  tx: Db,
  from: Version,
  { until, at }: { until: Date; at: Date },
): Promise<BookingState> {
  const entry = stepEntry(from, { ...agentExtends(until), at }, 'held')
  return withTimelineEntry(tx, entry)`
    update booking set revision = revision + 1, hold_until = ${until}, hold_extended = true,
      next_action_at = ${until}, updated_at = ${at}, ${setHead(entry)}
    where id = ${from.id} and status = 'held' and revision = ${from.revision}
      and not hold_extended and ${isNext(entry)}`
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
  const entry = stepEntry(from, to, from.status)
  return withTimelineEntry(tx, entry)`
    update booking set revision = revision + 1, changes = changes + 1,
      offering_id = ${to.offeringId}, rule_version = ${to.ruleVersion}, slot_time = ${to.slotTime},
      starts_at = ${to.startsAt}, ends_at = ${to.endsAt}, cancel_until = ${to.cancelUntil},
      party_size = ${to.partySize}, next_action_at = ${to.nextActionAt}, updated_at = ${to.at},
      reminded_until = ${to.remindedUntil},
      venue_answered_at = coalesce(${to.venueAnsweredAt ?? null}, venue_answered_at),
      asked_revision = coalesce(change_revision, asked_revision),
      change_phase = null, change_revision = null, ${setHead(entry)}
    where id = ${from.id} and status = ${from.status} and revision = ${from.revision}
      and ${isNext(entry)}`
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
  const entry = stepEntry(from, to, 'confirmed')
  return withTimelineEntry(tx, entry)`
    update booking set revision = revision + 1, change_phase = ${to.phase},
      change_revision = case when ${to.phase}::text is not null then revision + 1 end,
      answer_by = coalesce(${to.answerBy ?? null}, answer_by),
      asked_revision = case when ${to.isAgreed ?? false} then change_revision else asked_revision end,
      venue_answered_at = coalesce(${to.venueAnsweredAt ?? null}, venue_answered_at),
      updated_at = ${to.at}, ${setHead(entry)}
    where id = ${from.id} and status = 'confirmed' and revision = ${from.revision}
      and ${isNext(entry)}`
}

/**
 * Records that the fee of a confirmed booking is owed: all parts of its itinerary are confirmed.
 */
export async function updateFeeAccrued(tx: Db, from: Version, at: Date): Promise<BookingState> {
  const step = { ...reasons.itineraryStands, feeStatus: 'accrued', at } as const
  const entry = stepEntry(from, step, 'confirmed')
  return withTimelineEntry(tx, entry)`
    update booking set fee_status = 'accrued', revision = revision + 1, updated_at = ${at},
      ${setHead(entry)}
    where id = ${from.id} and status = 'confirmed' and revision = ${from.revision}
      and fee_status = 'none' and ${isNext(entry)}`
}
