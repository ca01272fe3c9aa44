import { releaseInventory } from '../../availability/store/inventory.ts'
import { hearVenue } from '../../confirmation/steps/hear-venue.ts'
import { noteNotice, updateRemindedAt } from '../../confirmation/store/venue-notices.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type { BookingStart, BookingState, ConfirmAnswer } from '../rules/booking-messages.ts'
import { dueNow } from '../rules/due.ts'
import { because } from '../rules/timeline-words.ts'
import { selectSchedule } from '../store/booking-schedule.ts'
import { selectBooking } from '../store/booking-view.ts'
import {
  type LockedBooking,
  selectBookingForUpdate,
  updateBookingStatus,
  updateNextAction,
} from '../store/bookings.ts'
import { clearNaturalKey } from '../store/requests.ts'
import { appendToTimeline } from '../store/timeline.ts'
import { type Done, stepOnce } from '../store/transitions.ts'
import type { Terms } from './confirm-booking.ts'
import { expireHold } from './end-booking.ts'
import { remind, waitOn } from './remind.ts'

/**
 * Does what is due at a booking whose next action has come, unless what its venue said comes first: ends a hold, reminds, completes.
 * Answers where the booking stands now, with its next action.
 */
export async function actWhenDue(
  db: Pool,
  start: BookingStart,
  terms: Terms,
  at: Date,
): Promise<BookingState & { answer?: ConfirmAnswer }> {
  const { accountId, bookingId } = start
  // What the venue said may be written down although nobody could tell the workflow.
  const { answer, state } = await hearVenue(db, start, terms, at)
  if (!state) throw new Error(`booking ${bookingId} does not exist`)
  const due = await dueOf(db, bookingId, state, terms, at)
  if (!due) return { ...state, ...(answer && { answer }) }
  const [transitionId, act] = due
  return stepOnce(db, { accountId, bookingId, transitionId, at }, async (tx) => {
    const booking = await selectBookingForUpdate(tx, bookingId)
    const isAsRead =
      booking.next_action_at?.toISOString() === state.nextActionAt &&
      booking.change_phase === (state.change?.phase ?? null)
    if (booking.status !== state.status || !isAsRead) throw new Error('the booking has changed')
    return act(tx, booking, at)
  })
}

type Act = (tx: Db, booking: LockedBooking, at: Date) => Promise<Done<BookingState>>

/** What is due, and the name of the step that does it. */
async function dueOf(
  db: Pool,
  id: string,
  { status, nextActionAt, confirmMode }: BookingState,
  { completionGraceMinutes: grace }: Terms,
  at: Date,
): Promise<[string, Act] | undefined> {
  if (nextActionAt === null || new Date(nextActionAt) > at) return undefined
  if (status === 'held') return ['hold_until', endHold]
  if (status === 'pending' && confirmMode === 'request') return ['remind_venue', remindVenue]
  if (status !== 'confirmed') return undefined
  const schedule = await selectSchedule(db, id)
  const due = dueNow(schedule, grace, at)
  if (due === 'complete') return ['complete', complete]
  const slot = schedule.startsAt.toISOString()
  return due === 'wait'
    ? [`wait:${nextActionAt}`, (tx, booking, now) => waitOn(tx, booking, grace, now)]
    : [
        `reminder:${due.minutesBefore}:${slot}`,
        (tx, booking, now) => remind(tx, booking, due, grace, now),
      ]
}

async function endHold(tx: Db, held: LockedBooking, at: Date): Promise<Done<BookingState>> {
  const { result, events } = await expireHold(tx, held, at)
  return { result: result.state as BookingState, events }
}

async function complete(tx: Db, confirmed: LockedBooking, at: Date): Promise<Done<BookingState>> {
  const { id, change_phase } = confirmed
  // A venue that has not agreed that a change is off may wait for guests at another time.
  const due = change_phase
    ? ({ venueSync: 'withdraw_due', nextActionAt: at } as const)
    : { nextActionAt: null }
  const move = { to: 'completed', ...due, ...because.slotIsOver, at } as const
  const result = await updateBookingStatus(tx, confirmed, move)
  await releaseInventory(tx, id)
  await clearNaturalKey(tx, id)
  const booking = await selectBooking(tx, id)
  return { result, events: [{ type: 'booking.completed', data: { booking } }] }
}

/** Half of the time that the venue's people have is over. */
async function remindVenue(tx: Db, pending: LockedBooking, at: Date): Promise<Done<BookingState>> {
  await appendToTimeline(tx, pending, { ...because.venueIsReminded, at })
  await updateRemindedAt(tx, pending.id, at)
  await noteNotice(tx, pending.id, 'request.reminder')
  const result = await updateNextAction(tx, pending, pending.answer_by ?? at)
  return { result, events: [] }
}
