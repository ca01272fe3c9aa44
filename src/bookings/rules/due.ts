import { MINUTE_MS } from '../../contract/rules/durations.ts'
import { defaultReminders } from '../../contract/rules/reminders.ts'

const SPREAD_MS = 2 * MINUTE_MS

/** What decides when something is due of a confirmed booking. */
export type Schedule = {
  id: string
  starts_at: Date
  ends_at: Date
  /** minutes before the slot; null for the default */
  reminders: readonly number[] | null
  /** reminders up to this moment are sent or skipped; null when none are to be sent */
  reminded_until: Date | null
}

/** A reminder: `time` identifies it, `dueAt` is when it is sent. */
export type Reminder = { minutesBefore: number; time: Date; dueAt: Date }

/**
 * Milliseconds, at most two minutes either way, by which the due times of a booking are shifted.
 * Always the same for one booking, from the random part of its UUIDv7, so that bookings of one slot
 * do not all wake at once.
 */
export const spreadOf = (bookingId: string): number =>
  Math.round((Number.parseInt(bookingId.slice(-8), 16) / 0xffffffff - 0.5) * 2 * SPREAD_MS)

/** When a booking completes by itself: at its end plus the grace time, shifted. */
export function completesAt(
  { id, ends_at }: Pick<Schedule, 'id' | 'ends_at'>,
  graceMinutes: number,
) {
  const shifted = ends_at.getTime() + graceMinutes * MINUTE_MS + spreadOf(id)
  return new Date(Math.max(ends_at.getTime(), shifted))
}

/** The reminders still to be sent, the next one first. */
export function remindersAhead({ id, starts_at, reminders, reminded_until }: Schedule): Reminder[] {
  if (!reminded_until) return []
  return [...new Set(reminders ?? defaultReminders)]
    .sort((a, b) => b - a)
    .map((minutesBefore) => {
      const time = new Date(starts_at.getTime() - minutesBefore * MINUTE_MS)
      return { minutesBefore, time, dueAt: new Date(time.getTime() + spreadOf(id)) }
    })
    .filter(({ time }) => time > reminded_until)
}

/**
 * The schedule of a booking that is moved at `at`. Reminders ahead of the new slot are sent again,
 * even if they were sent for the old one.
 */
export function rescheduled(
  schedule: Schedule,
  { starts_at, ends_at }: Pick<Schedule, 'starts_at' | 'ends_at'>,
  at: Date,
): Schedule {
  const { reminded_until } = schedule
  const stays = starts_at.getTime() === schedule.starts_at.getTime()
  const isLater = reminded_until !== null && reminded_until > at
  return { ...schedule, starts_at, ends_at, reminded_until: stays || isLater ? reminded_until : at }
}

/** When something is due of a confirmed booking: its next reminder or, finally, its completion. */
export const nextDueAt = (schedule: Schedule, graceMinutes: number): Date =>
  remindersAhead(schedule)[0]?.dueAt ?? completesAt(schedule, graceMinutes)

/**
 * What is due of a confirmed booking at `at`. Of several overdue reminders only the latest is sent,
 * and none once the slot has begun. `wait` only sets the next due time.
 */
export function dueNow(schedule: Schedule, graceMinutes: number, at: Date) {
  if (completesAt(schedule, graceMinutes) <= at) return 'complete'
  if (schedule.starts_at <= at) return 'wait'
  return remindersAhead(schedule).findLast(({ dueAt }) => dueAt <= at) ?? 'wait'
}
