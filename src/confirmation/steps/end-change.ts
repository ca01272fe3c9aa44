import { letGoOfKept, takeKept } from '../../availability/store/change-inventory.ts'
import type { StepContext } from '../../bookings/hooks.ts'
import type { BookingState } from '../../bookings/rules/booking-messages.ts'
import type { TimelineReason } from '../../bookings/rules/timeline.ts'
import { changeWasIgnored, reasons, venueAgrees } from '../../bookings/rules/timeline-reasons.ts'
import { amendTo } from '../../bookings/steps/amend-booking.ts'
import { endWithoutFee } from '../../bookings/steps/end-booking.ts'
import { updateChange } from '../../bookings/store/booking-changes.ts'
import type { LockedBooking } from '../../bookings/store/bookings.ts'
import { answerBegunCommands } from '../../bookings/store/commands.ts'
import { selectSpansOf } from '../../bookings/store/freed-spans.ts'
import { type Done, recordSteps } from '../../bookings/store/transitions.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { deleteChange, selectOptionalChange } from '../store/open-changes.ts'

/** The venue said yes in time: the booking is what it was to become, and whoever waits is told. Part of a step's transaction. */
export async function amendAsAgreed(
  tx: Db,
  booking: LockedBooking,
  { venueAnsweredAt, ...context }: StepContext & { venueAnsweredAt: Date },
): Promise<Done<unknown>> {
  const { id } = booking
  const change = await selectOptionalChange(tx, id)
  if (!change) throw new Error(`nothing is to be changed of booking ${id}`)
  const from = { slotTime: booking.slot_time, partySize: booking.party_size }
  const reason = venueAgrees(from, change)
  const done = await amendTo(
    tx,
    booking,
    change,
    { ...context, reason, venueAnsweredAt },
    async () => {
      await takeKept(tx, id)
      await deleteChange(tx, id)
      return true
    },
  )
  if (done) await answerBegunCommands(tx, id, done.answer)
  return { result: 'amend', events: done?.events ?? [] }
}

type CalledOff = StepContext & { refusal: RefusalData; reason: TimelineReason }

/** The booking stays as it was, and its venue knows: whoever waits for the change is refused. Part of a step's transaction. */
export const keepAsItIs = (tx: Db, booking: LockedBooking, why: CalledOff) =>
  callOff(tx, booking, null, why)

/** The same where the venue may believe in the change: it is told what holds until it has agreed. */
export const restore = (tx: Db, booking: LockedBooking, why: CalledOff) =>
  callOff(tx, booking, 'restoring', why)

/** The time of the venue is over. What it was never told it does not believe. */
export async function endUnanswered(
  tx: Db,
  booking: LockedBooking,
  context: Omit<CalledOff, 'reason'>,
): Promise<Done<BookingState>> {
  const change = await deleteChange(tx, booking.id)
  return change?.isSent
    ? restore(tx, booking, { ...context, reason: changeWasIgnored(booking.answer_by) })
    : keepAsItIs(tx, booking, { ...context, reason: reasons.venueWasNotAsked })
}

async function callOff(
  tx: Db,
  booking: LockedBooking,
  phase: 'restoring' | null,
  { refusal, reason, hooks, at }: CalledOff,
): Promise<Done<BookingState>> {
  const freed = await selectSpansOf(tx, booking.id, at)
  await letGoOfKept(tx, booking.id)
  await deleteChange(tx, booking.id)
  const result = await updateChange(tx, booking, { phase, ...reason, at })
  await answerBegunCommands(tx, booking.id, { refusal })
  const steps = await hooks.onSlotFreed(tx, booking, freed, at)
  await recordSteps(tx, booking.account_id, steps)
  return { result, events: [] }
}

/** The venue has agreed that the booking is as it was before a change that is off. Part of a step's transaction. */
export async function restored(
  tx: Db,
  booking: LockedBooking,
  { venueAnsweredAt, at }: { venueAnsweredAt: Date; at: Date },
): Promise<Done<BookingState>> {
  const step = { phase: null, isAgreed: true, venueAnsweredAt, ...reasons.venueGoesBack, at }
  return { result: await updateChange(tx, booking, step), events: [] }
}

/** It cannot go back: the booking is over, without a fee, and the venue is told so. Part of a step's transaction. */
export const notRestored = (
  tx: Db,
  booking: LockedBooking,
  { venueAnsweredAt, at, ...deps }: StepContext & { venueAnsweredAt: Date },
): Promise<Done<BookingState>> => {
  const move = {
    to: 'cancelled',
    cancelledBy: 'venue',
    reasonCode: 'venue_cancelled',
    venueSync: 'withdraw_due',
    venueAnsweredAt,
    nextActionAt: at,
    ...reasons.venueCannotGoBack,
    at,
  } as const
  return endWithoutFee(tx, booking, move, deps)
}
