import type { Choice } from '../../availability/steps/evaluate-offerings.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { ChangeTarget, StepContext } from '../hooks.ts'
import { cancellationOf, cancelUntilOf } from '../rules/cancellation.ts'
import { moved, nextDueAt } from '../rules/due.ts'
import { feeFor } from '../rules/fees.ts'
import type { TimelineReason } from '../rules/timeline.ts'
import { amendBooking } from '../store/booking-changes.ts'
import { scheduleOf } from '../store/booking-schedule.ts'
import { selectBooking } from '../store/booking-view.ts'
import type { LockedBooking } from '../store/bookings.ts'
import { insertFeeAccrual, reverseFee } from '../store/fees.ts'
import { selectSpansOf } from '../store/freed-spans.ts'
import { guestKeptUntil, updateErasure } from '../store/guests.ts'
import { clearNaturalKey } from '../store/requests.ts'
import { type NewEvent, recordSteps } from '../store/transitions.ts'
import { feeReversed } from './end-booking.ts'

/** What a booking becomes by a change. */
export function targetOf(
  booking: LockedBooking,
  { offering, slot }: Choice,
  partySize: number,
  at: Date,
): ChangeTarget {
  const { slotTime, startsAt, endsAt } = slot
  return {
    offeringId: offering.id,
    ruleVersion: offering.rule_version,
    ...{ slotTime, startsAt, endsAt, partySize },
    cancelUntil: cancelUntilOf(booking, slot, at),
    spendPerGuestMinor: offering.rules.spend_per_guest_minor,
  }
}

type Amending = StepContext & { reason: TimelineReason; venueAnsweredAt?: Date }

/**
 * Turns the booking into `target`, with its fee. `take` exchanges the inventory; when that fails,
 * undefined is answered and the caller rolls back. Part of a step's transaction.
 */
export async function amendTo(
  tx: Db,
  booking: LockedBooking,
  target: ChangeTarget,
  { terms, hooks, reason, venueAnsweredAt, at }: Amending,
  take: () => Promise<boolean>,
) {
  const { startsAt, endsAt } = target
  const freed = await selectSpansOf(tx, booking.id, at)
  if (!(await take())) return undefined
  const before = await selectBooking(tx, booking.id)
  const schedule = moved(scheduleOf(booking), { startsAt, endsAt }, at)
  const isHeld = booking.status === 'held'
  await amendBooking(tx, booking, {
    ...target,
    nextActionAt: isHeld
      ? booking.next_action_at
      : nextDueAt(schedule, terms.completionGraceMinutes),
    remindedUntil: schedule.remindedUntil,
    ...reason,
    ...(venueAnsweredAt && { venueAnsweredAt }),
    at,
  })
  await updateErasure(tx, booking.id, guestKeptUntil(startsAt))
  await clearNaturalKey(tx, booking.id)
  const fees = isHeld ? [] : await chargeAnew(tx, booking, target, terms.feePct, at)
  const amended = await selectBooking(tx, booking.id)
  const steps = await hooks.onSlotFreed(tx, booking, freed, at)
  await recordSteps(tx, booking.account_id, steps)
  const from = { slot_time: before.slot_time, party_size: before.party_size }
  const events = [{ type: 'booking.amended', data: { booking: amended, previous: from } }, ...fees]
  return {
    answer: { booking: amended, amended: { from }, cancellation: cancellationOf(amended, at) },
    events,
  }
}

/**
 * There is always one unreversed accrual: when the fee changes, the old one is reversed and the new
 * one accrued.
 */
async function chargeAnew(
  tx: Db,
  booking: LockedBooking,
  { spendPerGuestMinor: spend, partySize }: ChangeTarget,
  feePct: number,
  at: Date,
): Promise<NewEvent[]> {
  if (spend * partySize === booking.spend_per_guest_minor * booking.party_size) return []
  const fee = feeFor(spend, partySize, feePct, booking.currency)
  const reversed = await reverseFee(tx, booking.id, at)
  const account = { id: booking.id, accountId: booking.account_id, isDemo: booking.is_demo }
  await insertFeeAccrual(tx, account, fee, at)
  const data = { booking_id: booking.id, ...fee, is_demo: booking.is_demo }
  return [...feeReversed(booking, reversed), { type: 'fee.accrued', data }]
}
