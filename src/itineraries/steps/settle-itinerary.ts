import type { StepDeps } from '../../bookings/hooks.ts'
import { reasons } from '../../bookings/rules/timeline-reasons.ts'
import { accrueFee, confirm } from '../../bookings/steps/confirm.ts'
import { updateFeeAccrued } from '../../bookings/store/booking-changes.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { type LockedBooking, selectBookingForUpdate } from '../../bookings/store/bookings.ts'
import type { DoneStep } from '../../bookings/store/transitions.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { MemberState } from '../store/group-progress.ts'

/**
 * After the last yes, confirms every held part and records every part's fee. Undefined if a part
 * has since changed. Locks the parts in order of id until the transaction ends.
 */
export async function settleParts(
  tx: Db,
  members: readonly MemberState[],
  deps: StepDeps,
  at: Date,
): Promise<DoneStep[] | undefined> {
  const locked: LockedBooking[] = []
  for (const { bookingId, status } of members.toSorted(byId)) {
    const booking = await selectBookingForUpdate(tx, bookingId)
    if (booking.status !== status) return undefined
    locked.push(booking)
  }
  const steps: DoneStep[] = []
  for (const booking of locked) {
    const { id: bookingId, account_id: accountId } = booking
    const done =
      booking.status === 'held'
        ? await confirm(tx, booking, reasons.itineraryStands, { ...deps, at }, 'now')
        : await accrue(tx, booking, deps, at)
    steps.push({ bookingId, accountId, transitionId: 'settle', at, done })
  }
  return steps
}

/** The venue has already confirmed the part; only the fee is missing. */
async function accrue(tx: Db, confirmed: LockedBooking, deps: StepDeps, at: Date) {
  const state = await updateFeeAccrued(tx, confirmed, at)
  const event = await accrueFee(tx, confirmed, deps.terms, at)
  const answer = { booking: await selectBooking(tx, confirmed.id) }
  return { result: { answer, state }, events: [event] }
}

const byId = (a: MemberState, b: MemberState) => (a.bookingId < b.bookingId ? -1 : 1)
