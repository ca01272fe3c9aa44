import type { Db } from '../../platform/database/sql.ts'
import type { ChangePhase } from '../rules/booking.ts'
import { actsAt } from '../rules/in-time.ts'
import type { TimelineReason } from '../rules/timeline.ts'
import { agentExtends, reasons } from '../rules/timeline-reasons.ts'
import { type LockedBooking, setGuestNotice, updateBooking } from './bookings.ts'

/** Extends a hold to `until`. Does not count as a change, because it can happen only once. */
export function updateHoldUntil(tx: Db, booking: LockedBooking, until: Date, at: Date) {
  if (booking.status !== 'held' || booking.hold_extended) throw new Error('no hold to be extended')
  return updateBooking(tx, booking, agentExtends(until, booking.timezone), at)`
    hold_until = ${until}, hold_extended = true, next_action_at = ${actsAt(until)}`
}

/** The slot that a change moves a booking to, with its terms. */
export type TargetSlot = {
  service_id: string
  rule_version: number
  slot_time: string
  starts_at: Date
  ends_at: Date
  cancel_until: Date
  party_size: number
}

/** The new state of an amended booking. */
type Amendment = TimelineReason &
  TargetSlot & {
    nextActionAt: Date | null
    /** reminders due until then are not sent again */
    remindedUntil: Date | null
    /** when the venue agreed, by its own clock */
    venueAnsweredAt?: Date | undefined
  }

/** Moves a booking to another slot or party size; `booking.changes` allows 50 moves. */
export const amendBooking = (tx: Db, from: LockedBooking, to: Amendment, at: Date) =>
  updateBooking(tx, from, to, at)`
    changes = changes + 1, service_id = ${to.service_id}, rule_version = ${to.rule_version},
    slot_time = ${to.slot_time}, starts_at = ${to.starts_at}, ends_at = ${to.ends_at},
    cancel_until = ${to.cancel_until}, party_size = ${to.party_size},
    next_action_at = ${to.nextActionAt}, reminded_until = ${to.remindedUntil},
    venue_answered_at = coalesce(${to.venueAnsweredAt}, venue_answered_at),
    asked_revision = coalesce(change_revision, asked_revision),
    ${setGuestNotice(from.fee_status === 'accrued' ? 'amended' : null)},
    change_phase = null, change_revision = null`

/** The next phase of a change; `isAgreed` if the venue has agreed to the last message. */
type ChangeStep = TimelineReason & {
  phase: ChangePhase | null
  answerBy?: Date
  isAgreed?: boolean
  venueAnsweredAt?: Date
  guestNotice?: 'kept' | null
}

/** Moves a change to its next phase, under a new revision; the booking itself does not change. */
export function updateChange(tx: Db, confirmed: LockedBooking, to: ChangeStep, at: Date) {
  if (confirmed.status !== 'confirmed') throw new Error('no confirmed booking to be changed')
  return updateBooking(tx, confirmed, to, at)`
    change_phase = ${to.phase},
    change_revision = case when ${to.phase}::text is not null then revision + 1 end,
    answer_by = coalesce(${to.answerBy}, answer_by),
    asked_revision = case when ${to.isAgreed ?? false} then change_revision else asked_revision end,
    venue_answered_at = coalesce(${to.venueAnsweredAt}, venue_answered_at),
    ${setGuestNotice(to.guestNotice ?? null)}`
}

/** Records that a confirmed booking owes its fee, now that its whole itinerary is confirmed. */
export function updateFeeAccrued(tx: Db, confirmed: LockedBooking, at: Date) {
  const { status, fee_status } = confirmed
  if (status !== 'confirmed' || fee_status !== 'none') throw new Error('no fee to be accrued')
  const step = { ...reasons.itineraryStands, feeStatus: 'accrued' } as const
  return updateBooking(tx, confirmed, step, at)`
    fee_status = 'accrued', ${setGuestNotice('confirmed')}`
}
