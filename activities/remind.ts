import type { BookingState } from '../src/model/booking-messages.ts'
import { nextDueAt, type Reminder } from '../src/model/due.ts'
import { networkReminds } from '../src/model/timeline-words.ts'
import { scheduleOf, updateRemindedUntil } from '../src/store/booking-schedule.ts'
import { selectBooking } from '../src/store/booking-view.ts'
import type { LockedBooking } from '../src/store/bookings.ts'
import type { Db } from '../src/store/sql.ts'
import { appendToTimeline } from '../src/store/timeline.ts'
import type { Done } from '../src/store/transitions.ts'

/** Tells the agent of a confirmed booking that its slot comes. Part of a step's transaction. */
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

/** Waits for what comes next; reminders that nobody could send before the slot began are passed over. Part of a step's transaction. */
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
