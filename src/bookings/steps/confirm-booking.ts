import type { Db } from '../../platform/database/sql.ts'
import type { StepDeps, Terms } from '../hooks.ts'
import type { Decision } from '../rules/booking-messages.ts'
import { nextDueAt } from '../rules/due.ts'
import { feeFor } from '../rules/fees.ts'
import type { TimelineReason } from '../rules/timeline.ts'
import { scheduleOf } from '../store/booking-schedule.ts'
import { selectBooking } from '../store/booking-view.ts'
import { type LockedBooking, type SyncChange, updateBookingStatus } from '../store/bookings.ts'
import { insertFeeAccrual } from '../store/fees.ts'
import { uncountHold } from '../store/holds.ts'
import { updateWaitingAnswers } from '../store/requests.ts'
import type { Done, NewEvent } from '../store/transitions.ts'

/**
 * Confirms a booking with its fee, events and stored answer. A part of an itinerary that its venue
 * confirms owes its fee once all parts are confirmed. Part of a step's transaction.
 */
export async function confirm(
  tx: Db,
  from: LockedBooking,
  deps: StepDeps,
  change: SyncChange & TimelineReason & { at: Date },
): Promise<Done<Decision>> {
  return confirmAs(tx, from, deps, change, from.group_kind === 'itinerary' ? 'later' : 'now')
}

/** `confirm`, with the fee owed now or later. */
export async function confirmAs(
  tx: Db,
  from: LockedBooking,
  { terms, hooks }: StepDeps,
  change: SyncChange & TimelineReason & { at: Date },
  fee: 'now' | 'later',
): Promise<Done<Decision>> {
  const schedule = { ...scheduleOf(from), remindedUntil: change.at }
  const nextActionAt = nextDueAt(schedule, terms.completionGraceMinutes)
  const feeStatus = fee === 'now' ? ({ feeStatus: 'accrued' } as const) : {}
  const move = { to: 'confirmed', nextActionAt, ...feeStatus, ...change } as const
  const state = await updateBookingStatus(tx, from, move)
  const owed = fee === 'now' ? [await accrueFee(tx, from, terms, change.at)] : []
  const booking = await selectBooking(tx, from.id)
  await updateWaitingAnswers(tx, from.id, { booking })
  if (from.hold_until) await hooks.onConfirmed(tx, from.id, change.at)
  await uncountHold(tx, from)
  const events = [{ type: 'booking.confirmed', data: { booking } }, ...owed]
  return { result: { answer: { booking }, state }, events }
}

/** Accrues the fee of a booking; answers the event. */
export async function accrueFee(
  tx: Db,
  { id, account_id, is_demo, ...from }: LockedBooking,
  { feePct }: Terms,
  at: Date,
): Promise<NewEvent> {
  const fee = feeFor(from.spend_per_guest_minor, from.party_size, feePct, from.currency)
  await insertFeeAccrual(tx, { id, accountId: account_id, isDemo: is_demo }, fee, at)
  return { type: 'fee.accrued', data: { booking_id: id, ...fee, is_demo } }
}
