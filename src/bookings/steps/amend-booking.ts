import { feeBase } from '../../availability/rules/service-terms.ts'
import type { Choice } from '../../availability/steps/evaluate-services.ts'
import type { Booking } from '../../contract/public.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { NewEvent } from '../../webhooks/schema/event-bodies.ts'
import type { ChangeTarget, StepContext } from '../hooks.ts'
import { cancellationOf, cancelUntilOf, isAmendedLate } from '../rules/cancellation.ts'
import { nextDueAt, rescheduled } from '../rules/due.ts'
import type { TimelineReason } from '../rules/timeline.ts'
import { amendBooking } from '../store/booking-changes.ts'
import { selectBooking } from '../store/booking-view.ts'
import type { LockedBooking } from '../store/bookings.ts'
import { reverseFee, selectStandingBase } from '../store/fees.ts'
import { selectSpansOf } from '../store/freed-spans.ts'
import { guestKeptUntil, updateErasure } from '../store/guests.ts'
import { clearNaturalKey, updateWish } from '../store/requests.ts'
import { recordSteps } from '../store/transitions.ts'
import { accrueFee } from './confirm.ts'
import { feeReversed } from './end-booking.ts'

/** The result of a change to a booking. */
export const targetOf = (
  booking: LockedBooking,
  { service, slot }: Choice,
  partySize: number,
  at: Date,
): ChangeTarget => ({
  service_id: service.id,
  rule_version: service.rule_version,
  slot_time: slot.slotTime,
  starts_at: slot.startsAt,
  ends_at: slot.endsAt,
  cancel_until: cancelUntilOf(booking, slot, at),
  party_size: partySize,
  session: service.rules.session ?? null,
  leader_id: service.rules.requires.find(({ wished }) => wished)?.wished ?? null,
  fee_terms: service.rules,
  is_late: isAmendedLate(booking, at),
})

/**
 * Turns the booking into `target`, with its fee. `take` exchanges the inventory; if that fails,
 * returns undefined and the caller must roll back. Part of a step's transaction.
 */
export async function amendTo(
  tx: Db,
  booking: LockedBooking,
  target: ChangeTarget,
  context: StepContext & { reason: TimelineReason; venueAnsweredAt?: Date },
  take: () => Promise<boolean>,
) {
  const { terms, hooks, reason, venueAnsweredAt, at } = context
  const { id } = booking
  const freed = await selectSpansOf(tx, id, at)
  const before = await selectBooking(tx, id)
  if (!(await take())) return undefined
  const schedule = rescheduled(booking, target, at)
  const isHeld = booking.status === 'held'
  const dueAt = isHeld ? booking.next_action_at : nextDueAt(schedule, terms.completionGraceMinutes)
  const due = { nextActionAt: dueAt, remindedUntil: schedule.reminded_until, venueAnsweredAt }
  await amendBooking(tx, booking, { ...target, ...reason, ...due }, at)
  await updateErasure(tx, id, guestKeptUntil(target.starts_at))
  await clearNaturalKey(tx, id)
  await updateWish(tx, id, target)
  const fees = isHeld ? [] : await chargeAnew(tx, booking, target, context)
  const amended = await selectBooking(tx, id)
  const steps = await hooks.onSlotFreed(tx, booking, freed, at)
  await recordSteps(tx, booking.account_id, steps)
  const from = previousOf(before, amended)
  const data = { booking: amended, previous: from }
  const events: NewEvent[] = [{ type: 'booking.amended', data }, ...fees]
  return {
    answer: { booking: amended, amended: { from }, cancellation: cancellationOf(amended, at) },
    events,
  }
}

function previousOf(before: Booking, now: Booking) {
  const { slot_time, party_size, service: own } = before
  const pairs = { service: 'name', session: 'session', minutes: 'minutes', with: 'with' } as const
  const differing = Object.entries(pairs).flatMap(([field, key]) =>
    String(own?.[key]) === String(now.service?.[key]) || !own?.[key] ? [] : [[field, own[key]]],
  )
  const textsOf = ({ service, typical_spend, fee }: Booking) => [
    ['price', service?.price?.text],
    ['typical_spend', typical_spend?.text],
    ['fee', fee.text],
  ]
  const texts = textsOf(now).map(([, text]) => text)
  const changed = textsOf(before).filter(([, text], index) => text && text !== texts[index])
  const [deposit = null, other = null] = [before, now].map((one) => one.deposit?.text)
  return {
    ...{ slot_time, party_size, ...Object.fromEntries([...differing, ...changed]) },
    ...(deposit !== other && { deposit }),
  }
}

/**
 * If the fee changes, reverses the old one and accrues the new one, so that exactly one is open. A
 * late change never lowers the fee, whatever has happened to the booking since it accrued.
 */
async function chargeAnew(
  tx: Db,
  booking: LockedBooking,
  { fee_terms, party_size, starts_at, ends_at, is_late }: ChangeTarget,
  { terms, at }: StepContext,
): Promise<NewEvent[]> {
  const base = feeBase(fee_terms, party_size, starts_at, ends_at)
  const standing = await selectStandingBase(tx, booking.id)
  if (base === standing || (is_late && base < standing)) return []
  const reversed = await reverseFee(tx, booking.id, at)
  const changed = { ...booking, fee_terms, party_size, starts_at, ends_at }
  const accrued = await accrueFee(tx, changed, terms, at)
  return [...feeReversed(booking, reversed), accrued]
}
