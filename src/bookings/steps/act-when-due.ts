import { releaseInventory } from '../../availability/store/inventory.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type { StepContext, StepDeps } from '../hooks.ts'
import type { BookingStart, BookingState, ConfirmAnswer } from '../rules/booking-messages.ts'
import { dueNow } from '../rules/due.ts'
import { reasons } from '../rules/timeline-reasons.ts'
import { selectSchedule } from '../store/booking-schedule.ts'
import { selectBooking } from '../store/booking-view.ts'
import {
  type LockedBooking,
  selectBookingForUpdate,
  updateBookingStatus,
} from '../store/bookings.ts'
import { clearNaturalKey } from '../store/requests.ts'
import { type Done, stepOnce } from '../store/transitions.ts'
import { expireHold } from './end-booking.ts'
import { remind, waitOn } from './remind.ts'
import { whereItStands } from './where-it-stands.ts'

/**
 * Does what is due of a booking: ends a hold, reminds, completes. Responses of the venue come
 * first. Answers the state of the booking with its next action.
 */
export async function actWhenDue(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  at: Date,
): Promise<BookingState & { answer?: ConfirmAnswer }> {
  const { accountId, bookingId } = start
  await deps.hooks.beforeDue(db, start, deps, at)
  const { answer, state } = await whereItStands(db, bookingId)
  if (!state) throw new Error(`booking ${bookingId} does not exist`)
  const due = await dueOf(db, bookingId, state, { ...deps, at })
  if (!due) return { ...state, ...(answer && { answer }) }
  const [transitionId, act] = due
  return stepOnce(db, { accountId, bookingId, transitionId, at }, async (tx) => {
    const booking = await selectBookingForUpdate(tx, bookingId)
    const isAsRead =
      booking.next_action_at?.toISOString() === state.nextActionAt &&
      booking.change_phase === (state.change?.phase ?? null)
    if (booking.status !== state.status || !isAsRead) throw new Error('the booking has changed')
    return act(tx, booking, { ...deps, at })
  })
}

type Act = (tx: Db, booking: LockedBooking, context: StepContext) => Promise<Done<BookingState>>

/** What is due, and the name of its step. */
async function dueOf(
  db: Pool,
  id: string,
  { status, nextActionAt, confirmMode }: BookingState,
  { terms: { completionGraceMinutes: grace }, at }: StepContext,
): Promise<[string, Act] | undefined> {
  if (nextActionAt === null || new Date(nextActionAt) > at) return undefined
  if (status === 'held') return ['hold_until', endHold]
  if (status === 'pending' && confirmMode === 'request') {
    return ['remind_venue', (tx, pending, { venue }) => venue.remind(tx, pending, at)]
  }
  if (status !== 'confirmed') return undefined
  const schedule = await selectSchedule(db, id)
  const due = dueNow(schedule, grace, at)
  if (due === 'complete') return ['complete', complete]
  const slot = schedule.startsAt.toISOString()
  return due === 'wait'
    ? [`wait:${nextActionAt}`, (tx, booking) => waitOn(tx, booking, grace, at)]
    : [
        `reminder:${due.minutesBefore}:${slot}`,
        (tx, booking) => remind(tx, booking, due, grace, at),
      ]
}

async function endHold(
  tx: Db,
  held: LockedBooking,
  context: StepContext,
): Promise<Done<BookingState>> {
  const { result, events } = await expireHold(tx, held, context)
  return { result: result.state as BookingState, events }
}

async function complete(
  tx: Db,
  confirmed: LockedBooking,
  { at }: StepContext,
): Promise<Done<BookingState>> {
  const { id, change_phase } = confirmed
  // A venue that has not acknowledged the end of a change may expect guests at another time.
  const due = change_phase
    ? ({ venueSync: 'withdraw_due', nextActionAt: at } as const)
    : { nextActionAt: null }
  const move = { to: 'completed', ...due, ...reasons.slotIsOver, at } as const
  const result = await updateBookingStatus(tx, confirmed, move)
  await releaseInventory(tx, id)
  await clearNaturalKey(tx, id)
  const booking = await selectBooking(tx, id)
  return { result, events: [{ type: 'booking.completed', data: { booking } }] }
}
