import { releaseInventory } from '../../availability/store/inventory.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type { StepContext, StepDeps, StepWork } from '../hooks.ts'
import type { BookingStart, BookingState, ConfirmAnswer } from '../rules/booking-messages.ts'
import { dueNow, nextDueAt, type Reminder } from '../rules/due.ts'
import type { GuestNotice } from '../rules/guest-notices.ts'
import { networkReminds, reasons } from '../rules/timeline-reasons.ts'
import { selectBooking } from '../store/booking-view.ts'
import {
  type LockedBooking,
  selectBookingForUpdate,
  selectSchedule,
  updateBookingStatus,
  updateRemindedUntil,
} from '../store/bookings.ts'
import { hasOpenCommand } from '../store/commands.ts'
import { clearNaturalKey, selectDecision } from '../store/requests.ts'
import { appendToTimeline } from '../store/timeline.ts'
import { stepOnce } from '../store/transitions.ts'
import { expireHold } from './end-booking.ts'
import { runOpenCommands } from './run-commands.ts'

/**
 * Does a booking's due work: ends a hold, sends a reminder, completes the booking. Responses of the
 * venue and commands come first. Returns the booking's state with its next action.
 */
export async function actWhenDue(
  db: Pool,
  start: BookingStart,
  deps: StepDeps,
  at: Date,
): Promise<BookingState & { answer?: ConfirmAnswer }> {
  const { accountId, bookingId } = start
  await runOpenCommands(db, start, deps, at)
  const { answer, state } = await selectDecision(db, bookingId)
  if (!state) throw new Error(`booking ${bookingId} does not exist`)
  const due = await dueOf(db, bookingId, state, { ...deps, at })
  if (!due) return { ...state, ...(answer && { answer }) }
  const [transitionId, act] = due
  return stepOnce(db, { accountId, bookingId, transitionId, at }, async (tx) => {
    const booking = await selectBookingForUpdate(tx, bookingId)
    const isAsRead =
      booking.next_action_at?.toISOString() === state.nextActionAt &&
      booking.change_phase === (state.change?.phase ?? null)
    // A change requested after the check for open work must end before the booking does.
    const isOver = transitionId === 'complete' && booking.change_phase === 'asked'
    if (booking.status !== state.status || !isAsRead || isOver) {
      throw new Error('the booking has changed')
    }
    return act(tx, booking, undefined, { ...deps, at })
  })
}

type Act = StepWork<undefined>

/** The due work, and the name of the step that does it. */
async function dueOf(
  db: Pool,
  id: string,
  { status, nextActionAt, confirmMode }: BookingState,
  { terms: { completionGraceMinutes }, at }: StepContext,
): Promise<[string, Act] | undefined> {
  if (nextActionAt === null || new Date(nextActionAt) > at) return undefined
  if (status === 'held') return ['hold_until', endHold]
  if (status === 'pending' && confirmMode === 'request') {
    return ['remind_venue', (tx, pending, _, { venue }) => venue.remind(tx, pending, at)]
  }
  if (status !== 'confirmed') return undefined
  const schedule = await selectSchedule(db, id)
  const due = dueNow(schedule, completionGraceMinutes, at)
  if (due === 'complete') return ['complete', complete]
  if (due === 'wait') return [`wait:${nextActionAt}`, skipReminders]
  const step = `reminder:${due.minutesBefore}:${schedule.starts_at.toISOString()}`
  return [step, (tx, booking, _, context) => remind(tx, booking, due, context)]
}

const endHold: Act = async (tx, booking, _, context) => {
  const { id, hold_until } = booking
  if (hold_until && (await hasOpenCommand(tx, id, hold_until))) {
    throw new Error('a command was given before the end of the hold')
  }
  const { result, events } = await expireHold(tx, booking, context)
  return { result: result.state as BookingState, events }
}

const complete: Act = async (tx, confirmed, _, { at }) => {
  const { id, change_phase } = confirmed
  // A venue that has not acknowledged the end of a change might expect the guest at another time.
  const due = change_phase
    ? ({ venueSync: 'withdraw_due', nextActionAt: at } as const)
    : { nextActionAt: null }
  const move = { to: 'completed', ...due, ...reasons.slotIsOver } as const
  const result = await updateBookingStatus(tx, confirmed, move, at)
  await releaseInventory(tx, id)
  await clearNaturalKey(tx, id)
  const booking = await selectBooking(tx, id)
  return { result, events: [{ type: 'booking.completed', data: { booking } }] }
}

/** Reminds the agent of a confirmed booking. */
const remind: StepWork<Reminder> = async (tx, confirmed, { time, minutesBefore }, context) => {
  const guestNotice = `reminder:${minutesBefore}` as const
  const result = await remindedUntil(tx, confirmed, { until: time, guestNotice }, context)
  await appendToTimeline(tx, confirmed, networkReminds(minutesBefore), context.at)
  const booking = await selectBooking(tx, confirmed.id)
  const data = { booking, minutes_before: minutesBefore }
  return { result, events: [{ type: 'booking.reminder', data }] }
}

/** Sets the next due time; skips reminders that could not be sent before the slot started. */
const skipReminders: Act = async (tx, confirmed, _, context) => {
  const { starts_at, reminded_until } = confirmed
  const until = starts_at <= context.at ? starts_at : reminded_until
  const ending = { until, guestNotice: null }
  return { result: await remindedUntil(tx, confirmed, ending, context), events: [] }
}

function remindedUntil(
  tx: Db,
  confirmed: LockedBooking,
  ending: { until: Date | null; guestNotice: GuestNotice | null },
  { terms }: StepContext,
) {
  const schedule = { ...confirmed, reminded_until: ending.until }
  const dueAt = nextDueAt(schedule, terms.completionGraceMinutes)
  return updateRemindedUntil(tx, confirmed, ending, dueAt)
}
