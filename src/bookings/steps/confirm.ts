import { feeBase } from '../../availability/rules/service-terms.ts'
import type { ConfirmMode } from '../../base/venue-kinds.ts'
import type { Booking } from '../../contract/public.ts'
import { type Db, together } from '../../platform/database/sql.ts'
import type { NewEvent } from '../../webhooks/schema/event-bodies.ts'
import type { StepContext, Terms } from '../hooks.ts'
import type { BookingState, Decision } from '../rules/booking-messages.ts'
import { nextDueAt } from '../rules/due.ts'
import type { TimelineReason } from '../rules/timeline.ts'
import { reasons } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import { type LockedBooking, type SyncChange, updateBookingStatus } from '../store/bookings.ts'
import { type Fee, feeFor, insertFeeAccrual, publicFee } from '../store/fees.ts'
import { uncountHold } from '../store/holds.ts'
import { updateWaitingAnswers } from '../store/requests.ts'
import type { Done } from '../store/transitions.ts'

type Confirmation = SyncChange & TimelineReason

/** The next step for a held booking: the network confirms it, or asks its venue. */
export const decisionFor = (confirmMode: ConfirmMode | undefined) =>
  confirmMode === 'http' || confirmMode === 'request'
    ? (['ask', askVenue] as const)
    : (['confirm', confirmAtOnce] as const)

const askVenue = (tx: Db, booking: LockedBooking, context: StepContext) =>
  context.venue.request(tx, booking, context)

const confirmAtOnce = (tx: Db, hold: LockedBooking, context: StepContext) =>
  confirm(tx, hold, hold.hold_until ? reasons.agentConfirms : reasons.networkConfirms, context)

/**
 * Confirms a booking with its fee, events and stored answer. With `later`, a part of an itinerary
 * owes its fee only once all parts are confirmed. Part of a step's transaction.
 */
export async function confirm(
  tx: Db,
  from: LockedBooking,
  change: Confirmation,
  context: StepContext,
  fee: 'now' | 'later' = from.group_kind === 'itinerary' ? 'later' : 'now',
): Promise<Done<Decision>> {
  const done = await moveToConfirmed(tx, from, change, context, fee)
  await updateWaitingAnswers(tx, from.id, done.result.answer)
  if (from.hold_until) {
    await context.hooks.onConfirmed(tx, from.id, context.at)
    await uncountHold(tx, from)
  }
  return done
}

/** Confirms a booking without storing the answer or ending an explicit hold. */
export async function moveToConfirmed(
  tx: Db,
  from: LockedBooking,
  change: Confirmation,
  context: StepContext,
  fee: 'now' | 'later' = 'now',
): Promise<Done<{ answer: { booking: Booking }; state: BookingState }>> {
  const { terms, at } = context
  const nextActionAt = nextDueAt({ ...from, reminded_until: at }, terms.completionGraceMinutes)
  const feeStatus = fee === 'now' ? ({ feeStatus: 'accrued' } as const) : {}
  const move = { to: 'confirmed', nextActionAt, ...feeStatus, ...change } as const
  const [state, event, booking] = await together(
    updateBookingStatus(tx, from, move, at),
    fee === 'now' ? accrueFee(tx, from, terms, at) : Promise.resolve(undefined),
    selectBooking(tx, from.id),
  )
  const events: NewEvent[] = [{ type: 'booking.confirmed', data: { booking } }]
  if (event) events.push(event)
  return { result: { answer: { booking }, state }, events }
}

/** The fee of a booking as it is now. */
export const feeOf = (booking: LockedBooking, feePct: Terms['feePct']): Fee => {
  const { fee_terms, party_size, starts_at, ends_at, currency } = booking
  return feeFor(feeBase(fee_terms, party_size, starts_at, ends_at), feePct, currency)
}

/** Accrues a booking's fee; returns the event. */
export async function accrueFee(
  tx: Db,
  booking: LockedBooking,
  { feePct }: Terms,
  at: Date,
): Promise<NewEvent> {
  const { id } = booking
  const fee = feeOf(booking, feePct)
  await insertFeeAccrual(tx, booking, fee, at)
  return { type: 'fee.accrued', data: { booking_id: id, ...publicFee(fee, booking) } }
}
