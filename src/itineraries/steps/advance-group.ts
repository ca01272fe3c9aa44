import type { StepDeps } from '../../bookings/hooks.ts'
import { reasons } from '../../bookings/rules/timeline-reasons.ts'
import { accrueFee, confirm } from '../../bookings/steps/confirm.ts'
import { updateFeeAccrued } from '../../bookings/store/booking-changes.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { type LockedBooking, selectBookingForUpdate } from '../../bookings/store/bookings.ts'
import { type DoneStep, stepTogether } from '../../bookings/store/transitions.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type { GroupProgress, GroupStart } from '../rules/group-messages.ts'
import { type GroupStatus, isInProgress, nextOf } from '../rules/groups.ts'
import type { MemberState } from '../store/group-progress.ts'
import * as stored from '../store/group-progress.ts'
import { answerOf, whyUndone } from './group-answers.ts'

/**
 * Advances a group as far as its bookings allow, and returns the positions to work on. Moves, fees
 * and the stored answer commit together. Safe to repeat.
 */
export const advanceGroup = (
  db: Pool,
  { groupId }: GroupStart,
  deps: StepDeps,
  at: Date,
): Promise<GroupProgress> =>
  stepTogether(db, async (tx) => {
    const steps: DoneStep[] = []
    for (;;) {
      const group = await stored.selectGroupForUpdate(tx, groupId)
      const { kind, status, cancel_by: cancelBy, hold_until } = group
      const members = await stored.selectMembers(tx, groupId)
      const isLate = hold_until !== null && hold_until <= at
      const next = nextOf({ kind, status, cancelBy, members, isLate })
      if ('work' in next) {
        await stored.noteGroupAlive(tx, groupId, at, stored.statesOf(members))
        return { result: { status, work: next.work }, steps }
      }
      const isBooked = next.to === 'confirmed' && kind === 'itinerary'
      const settled = isBooked ? await settleParts(tx, members, deps, at) : []
      if (!settled) continue
      steps.push(...settled)
      await moveGroup(tx, group, members, next.to, at)
    }
  })

/**
 * After the last yes, confirms every held part and records every part's fee. Undefined if a part
 * has since changed. Locks the parts in order of id until the transaction ends.
 */
async function settleParts(
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

/** Stores a group's new status, with its refusal or, at the end, its answer. */
async function moveGroup(
  tx: Db,
  group: stored.LockedGroup,
  members: readonly stored.MemberState[],
  to: GroupStatus,
  at: Date,
) {
  if (isInProgress(to)) {
    const refusal = to === 'undoing' ? whyUndone(group, members) : undefined
    await stored.updateGroupStatus(tx, group, { to, refusal, answer: undefined, at })
    return
  }
  const answer = await answerOf(tx, group, members, to)
  await stored.updateGroupStatus(tx, group, { to, refusal: undefined, answer, at })
  await stored.deleteGuestsNeverTold(tx, group.id)
}
