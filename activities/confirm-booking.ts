import type { Decision } from '../src/model/booking-messages.ts'
import { nextDueAt } from '../src/model/due.ts'
import { feeFor } from '../src/model/fees.ts'
import type { Telling } from '../src/model/timeline.ts'
import { scheduleOf } from '../src/store/booking-schedule.ts'
import { selectBooking } from '../src/store/booking-view.ts'
import { type LockedBooking, type SyncChange, updateBookingStatus } from '../src/store/bookings.ts'
import { insertFeeAccrual } from '../src/store/fees.ts'
import type { Db } from '../src/store/sql.ts'
import type { Done } from '../src/store/transitions.ts'
import { answerWaiting } from './answer-waiting.ts'

/**
 * `feePct` of the spend is the fee; a booking completes about `completionGraceMinutes` after its end (model/due.ts). A venue's system has
 * `venueAnswerMinutes` to answer, its people `requestAnswerMinutes` of its opening hours, an agent `offerAnswerMinutes`.
 */
export type Terms = {
  feePct: number
  completionGraceMinutes: number
  venueAnswerMinutes: number
  requestAnswerMinutes: number
  offerAnswerMinutes: number
}

/** Confirms a booking with its fee, events and stored answer. Part of a step's transaction. */
export async function confirm(
  tx: Db,
  from: LockedBooking,
  terms: Terms,
  change: SyncChange & Telling & { at: Date },
): Promise<Done<Decision>> {
  const fee = feeFor(from.spend_per_guest_minor, from.party_size, terms.feePct, from.currency)
  const schedule = { ...scheduleOf(from), remindedUntil: change.at }
  const nextActionAt = nextDueAt(schedule, terms.completionGraceMinutes)
  const account = { id: from.id, accountId: from.account_id, isDemo: from.is_demo }
  const move = { to: 'confirmed', nextActionAt, feeStatus: 'accrued', ...change } as const
  const state = await updateBookingStatus(tx, from, move)
  await insertFeeAccrual(tx, account, fee, change.at)
  const booking = await selectBooking(tx, from.id)
  await answerWaiting(tx, from.id, { booking })
  const events = [
    { type: 'booking.confirmed', data: { booking } },
    { type: 'fee.accrued', data: { booking_id: from.id, ...fee, is_demo: from.is_demo } },
  ]
  return { result: { answer: { booking }, state }, events }
}
