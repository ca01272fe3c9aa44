import { applyHeldChange, releaseHeldChange } from '../../availability/store/change-inventory.ts'
import type { RefusalData } from '../../base/errors.ts'
import type { StepContext, StepWork } from '../../bookings/hooks.ts'
import type { TimelineReason } from '../../bookings/rules/timeline.ts'
import { changeWasIgnored, reasons, venueAgrees } from '../../bookings/rules/timeline-reasons.ts'
import { amendTo } from '../../bookings/steps/amend-booking.ts'
import { updateChange } from '../../bookings/store/booking-changes.ts'
import type { LockedBooking } from '../../bookings/store/bookings.ts'
import { answerBegunCommands, isChangeOfGuest } from '../../bookings/store/commands.ts'
import { selectSpansOf } from '../../bookings/store/freed-spans.ts'
import { recordSteps } from '../../bookings/store/transitions.ts'
import type { Db } from '../../platform/database/sql.ts'
import { deleteChange, selectOptionalChange } from '../store/open-changes.ts'

/** The venue agreed in time: changes the booking and answers waiting callers. */
export const amendAsAgreed: StepWork<Date, unknown> = async (
  tx,
  booking,
  venueAnsweredAt,
  context,
) => {
  const { id } = booking
  const change = await selectOptionalChange(tx, id)
  if (!change) throw new Error(`booking ${id} has no change to make`)
  const agreed = { ...context, reason: venueAgrees(booking, change), venueAnsweredAt }
  const done = await amendTo(tx, booking, change, agreed, async () => {
    await applyHeldChange(tx, id)
    await deleteChange(tx, id)
    return true
  })
  if (done) await answerBegunCommands(tx, id, done.answer)
  return { result: 'amend', events: done?.events ?? [] }
}

type CalledOff = { refusal: RefusalData; reason: TimelineReason }

/** Keeps the booking as it was, which the venue knows, and refuses waiting callers. */
export const keepAsItIs: StepWork<CalledOff> = (...step) => callOff(null, ...step)

/** Keeps the booking as it was. A venue's system may expect the change, and must then undo it. */
export const restore: StepWork<CalledOff> = (tx, booking, ...step) =>
  callOff(booking.confirm_mode === 'http' ? 'restoring' : null, tx, booking, ...step)

/** The venue did not answer in time. If it may know of the change, it must undo the change. */
export const endUnanswered: StepWork<RefusalData> = async (tx, booking, refusal, context) => {
  const change = await deleteChange(tx, booking.id)
  return change?.is_sent || booking.confirm_mode === 'request'
    ? restore(tx, booking, { refusal, reason: changeWasIgnored(booking) }, context)
    : keepAsItIs(tx, booking, { refusal, reason: reasons.venueWasNotAsked }, context)
}

async function callOff(
  phase: 'restoring' | null,
  tx: Db,
  booking: LockedBooking,
  { refusal, reason }: CalledOff,
  { hooks, at }: StepContext,
) {
  const freed = await selectSpansOf(tx, booking.id, at)
  await releaseHeldChange(tx, booking.id)
  await deleteChange(tx, booking.id)
  const guestNotice = (await isChangeOfGuest(tx, booking.id)) ? ('kept' as const) : null
  const result = await updateChange(tx, booking, { phase, guestNotice, ...reason }, at)
  await answerBegunCommands(tx, booking.id, { refusal })
  const steps = await hooks.onSlotFreed(tx, booking, freed, at)
  await recordSteps(tx, booking.account_id, steps)
  return { result, events: [] }
}

/** The venue has acknowledged that the booking is again as it was before the change. */
export const confirmRestored: StepWork<Date> = async (tx, booking, venueAnsweredAt, { at }) => {
  const step = { phase: null, isAgreed: true, venueAnsweredAt, ...reasons.venueGoesBack }
  return { result: await updateChange(tx, booking, step, at), events: [] }
}
