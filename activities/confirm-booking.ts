import type { BookingStart, Decision } from '../src/model/booking-messages.ts'
import { refusalData } from '../src/model/errors.ts'
import { feeFor } from '../src/model/fees.ts'
import { selectBooking } from '../src/store/booking-view.ts'
import {
  type LockedBooking,
  selectBookingForUpdate,
  updateBookingStatus,
} from '../src/store/bookings.ts'
import { insertFeeAccrual } from '../src/store/fees.ts'
import { releaseInventory } from '../src/store/inventory.ts'
import { clearNaturalKey, updateRequestAnswer } from '../src/store/requests.ts'
import type { Db, Pool } from '../src/store/sql.ts'
import { type Done, stepOnce } from '../src/store/transitions.ts'

/** `feePct` of the spend is the fee; a booking completes `completionGraceMinutes` after its end. */
export type Terms = { feePct: number; completionGraceMinutes: number }

/**
 * Decides a held booking at an `auto` venue, in one transaction: confirmed with its fee, events and stored answer or,
 * when the slot began while nobody could decide, expired with nothing charged.
 */
export async function confirmBooking(
  db: Pool,
  start: BookingStart,
  terms: Terms,
  at: Date,
): Promise<Decision> {
  const { accountId, bookingId } = start
  const step = { accountId, bookingId, transitionId: 'confirm', at }
  return stepOnce(db, step, async (tx) => {
    const held = await selectBookingForUpdate(tx, bookingId)
    const decide = held.starts_at > at ? confirm : expire
    const done = await decide(tx, held, at, terms)
    await updateRequestAnswer(tx, bookingId, done.result.answer)
    return done
  })
}

async function confirm(
  tx: Db,
  held: LockedBooking,
  at: Date,
  terms: Terms,
): Promise<Done<Decision>> {
  const { feePct, completionGraceMinutes } = terms
  const fee = feeFor(held.spend_per_guest_minor, held.party_size, feePct, held.currency)
  const nextActionAt = new Date(held.ends_at.getTime() + completionGraceMinutes * 60_000)
  const account = { id: held.id, accountId: held.account_id, isDemo: held.is_demo }
  const move = { to: 'confirmed', nextActionAt, feeAccrued: true, at } as const
  const state = await updateBookingStatus(tx, held, move)
  await insertFeeAccrual(tx, account, fee, at)
  const booking = await selectBooking(tx, held.id)
  const events = [
    { type: 'booking.confirmed', data: { booking } },
    { type: 'fee.accrued', data: { booking_id: held.id, ...fee, is_demo: held.is_demo } },
  ]
  return { result: { answer: { booking }, state }, events }
}

async function expire(tx: Db, held: LockedBooking, at: Date): Promise<Done<Decision>> {
  const state = await updateBookingStatus(tx, held, {
    to: 'expired',
    nextActionAt: null,
    reasonCode: 'hold_expired',
    at,
  })
  await releaseInventory(tx, held.id)
  await clearNaturalKey(tx, held.id)
  const booking = await selectBooking(tx, held.id)
  const what = 'The slot began before the booking could be confirmed.'
  const refusal = refusalData('hold_expired', what, { booking_id: held.id })
  const events = [{ type: 'booking.expired', data: { booking } }]
  return { result: { answer: { refusal }, state }, events }
}
