import type { Db } from '../../platform/database/sql.ts'
import type { BookingState } from '../rules/booking-messages.ts'
import { nextDueAt, type Reminder } from '../rules/due.ts'
import { networkReminds } from '../rules/timeline-reasons.ts'
import { scheduleOf, updateRemindedUntil } from '../store/booking-schedule.ts'
import { selectBooking } from '../store/booking-view.ts'
import type { LockedBooking } from '../store/bookings.ts'
import { appendToTimeline } from '../store/timeline.ts'
import type { Done } from '../store/transitions.ts'

/** Reminds the agent of a confirmed booking. Part of a step's transaction. */
export async function remind(
  tx: Db,
  confirmed: LockedBooking,
  { time, minutesBefore }: Reminder,
  graceMinutes: number,
  at: Date,
): Promise<Done<BookingState>> {
  const result = await remindedUntil(tx, confirmed, time, graceMinutes)
  await appendToTimeline(tx, confirmed, { ...networkReminds(minutesBefore), at })
  const booking = await selectBooking(tx, confirmed.id)
  const data = { booking, minutes_before: minutesBefore }
  return { result, events: [{ type: 'booking.reminder', data }] }
}

/**
 * Sets the next due time, and skips reminders that could not be sent before the slot began. Part of
 * a step's transaction.
 */
export async function waitOn(
  tx: Db,
  confirmed: LockedBooking,
  graceMinutes: number,
  at: Date,
): Promise<Done<BookingState>> {
  const { starts_at, reminded_until } = confirmed
  const until = starts_at <= at ? starts_at : reminded_until
  return { result: await remindedUntil(tx, confirmed, until, graceMinutes), events: [] }
}

function remindedUntil(tx: Db, confirmed: LockedBooking, until: Date | null, graceMinutes: number) {
  const schedule = { ...scheduleOf(confirmed), remindedUntil: until }
  const nextActionAt = nextDueAt(schedule, graceMinutes)
  return updateRemindedUntil(tx, confirmed, { remindedUntil: until, nextActionAt })
}
