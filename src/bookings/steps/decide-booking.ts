import type { RefusalData } from '../../base/errors.ts'
import { type Pool, readTogether } from '../../platform/database/sql.ts'
import type { StepContext, StepDeps } from '../hooks.ts'
import type { BookingStart, Decision } from '../rules/booking-messages.ts'
import { reasons } from '../rules/timeline-reasons.ts'
import { selectBookingForUpdate } from '../store/bookings.ts'
import { selectDecision } from '../store/requests.ts'
import { stepOnce } from '../store/transitions.ts'
import { decisionFor } from './confirm.ts'
import { endRefused, expireHold } from './end-booking.ts'
import { openAndDecide, openBooking } from './open-booking.ts'

/**
 * Takes a booking from request to answer. Holding the slot, and confirming it or asking its venue,
 * are two steps in one transaction; a prepaid booking is held until it is paid. A booking is
 * pending while its venue is being asked. Each step happens only once; repeating it returns the
 * booking's state.
 */
export async function decideBooking(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  at: Date,
): Promise<Decision> {
  const context = { ...deps, at }
  const { limits, feePct } = deps.terms
  const isHeldFirst = start.payment || start.purpose === 'hold'
  const opening = await (isHeldFirst
    ? openBooking(db, start, at, limits, { feePct })
    : openAndDecide(db, start, context))
  const { state } = opening
  const isHold = start.purpose === 'hold'
  if (state?.status !== 'held' || (isHold && !start.payment)) return opening
  const { bookingId } = start
  const payment = start.payment ? await deps.hooks.paymentOf(db, bookingId, at) : 'settled'
  if (!payment) throw new Error('no room takes payments')
  if (payment !== 'settled' && 'payBy' in payment) {
    return { ...opening, state: { ...state, ...payment } }
  }
  // A paid part of an itinerary stays held until all are.
  if (payment === 'settled' && isHold) return opening
  if (payment === 'settled') return decideHeld(db, start, state.confirmMode, context)
  return endUnpaid(db, start, payment.refusal, context)
}

/** The decision, if the process that took the request has made it. */
export async function findDecision(db: Pool, start: BookingStart): Promise<Decision | undefined> {
  const decision = await readTogether(db, (client) => selectDecision(client, start.bookingId))
  const { answer, state } = decision
  const isPayable = start.purpose !== 'hold' || start.payment !== undefined
  const isUndecided = state ? state.status === 'held' && isPayable : !answer
  return isUndecided ? undefined : decision
}

/** Confirms a booking held by an earlier step, or asks its venue, if its slot has not begun. */
function decideHeld(
  db: Pool,
  { accountId, bookingId }: BookingStart,
  confirmMode: Parameters<typeof decisionFor>[0],
  context: StepContext,
): Promise<Decision> {
  const { at } = context
  const [transitionId, decide] = decisionFor(confirmMode)
  return stepOnce<Decision>(db, { accountId, bookingId, transitionId, at }, async (tx) => {
    const booking = await selectBookingForUpdate(tx, bookingId)
    return (booking.starts_at > at ? decide : expireHold)(tx, booking, context)
  })
}

/** Ends a held booking whose payment was not settled. */
function endUnpaid(
  db: Pool,
  { accountId, bookingId }: BookingStart,
  { code, message, facts }: RefusalData,
  context: StepContext,
): Promise<Decision> {
  const step = { accountId, bookingId, transitionId: 'unpaid', at: context.at }
  return stepOnce<Decision>(db, step, async (tx) => {
    const booking = await selectBookingForUpdate(tx, bookingId)
    const refusal = { code, message, facts: { ...facts, booking_id: bookingId } }
    const move = { to: 'failed', nextActionAt: null, reasonCode: code, ...reasons.unpaid } as const
    return endRefused(tx, booking, { ...move, refusal }, context)
  })
}
