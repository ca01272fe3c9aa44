import { MINUTE_MS } from '../../base/durations.ts'
import { defaultReminders } from '../../base/reminders.ts'

/** A reminder may be early or late by at most this long, and this share of its lead time. */
const MAX_SHIFT_MS = 30 * MINUTE_MS
const SHIFTED_PART = 1 / 8
/** The period over which the completions of bookings that end together are spread. */
const COMPLETIONS_MS = 30 * MINUTE_MS

/** What determines when something is due for a confirmed booking. */
export type Schedule = {
  id: string
  starts_at: Date
  ends_at: Date
  /** minutes before the slot; null for the default */
  reminders: readonly number[] | null
  /** reminders due until then have been sent or skipped; null if none are to be sent */
  reminded_until: Date | null
}

/** A reminder: `time` identifies it, and it is sent at `dueAt`. */
export type Reminder = { minutesBefore: number; time: Date; dueAt: Date }

/**
 * A constant between 0 and 1 for each booking, from the random part of its UUIDv7. It spreads due
 * times, so that an evening's bookings do not all wake at the same time.
 */
const placeOf = (bookingId: string): number =>
  (Number.parseInt(bookingId.slice(-8), 16) + 0.5) / 2 ** 32

/** When a booking completes: up to half an hour after the grace period that follows its end. */
export const completesAt = (
  { id, ends_at }: Pick<Schedule, 'id' | 'ends_at'>,
  graceMinutes: number,
): Date =>
  new Date(Math.ceil(ends_at.getTime() + graceMinutes * MINUTE_MS + placeOf(id) * COMPLETIONS_MS))

/** How early or late a reminder with this lead time, in minutes, may be sent. */
export const reminderShiftMs = (minutesBefore: number): number =>
  Math.min(MAX_SHIFT_MS, minutesBefore * MINUTE_MS * SHIFTED_PART)

/**
 * The remaining reminders, next one first. If a reminder's sending period has already begun when
 * the booking is confirmed, the reminder is sent in the rest of that period.
 */
export function remindersAhead({ id, starts_at, reminders, reminded_until }: Schedule): Reminder[] {
  if (!reminded_until) return []
  return [...new Set(reminders ?? defaultReminders)]
    .sort((a, b) => b - a)
    .map((minutesBefore) => {
      const time = new Date(starts_at.getTime() - minutesBefore * MINUTE_MS)
      const shift = reminderShiftMs(minutesBefore)
      const from = Math.max(time.getTime() - shift, reminded_until.getTime())
      const span = time.getTime() + shift - from
      return { minutesBefore, time, dueAt: new Date(from + Math.ceil(span * placeOf(id))) }
    })
    .filter(({ time }) => time > reminded_until)
}

/**
 * The nominal lead time of a reminder (minutes), given the actual one. Exact unless the reminder's
 * sending period had begun when the booking was confirmed.
 */
export function minutesOfReminder(bookingId: string, msBefore: number): number {
  const place = placeOf(bookingId) * 2 - 1
  const far = msBefore + place * MAX_SHIFT_MS
  const isFar = far * SHIFTED_PART >= MAX_SHIFT_MS
  return Math.round((isFar ? far : msBefore / (1 - place * SHIFTED_PART)) / MINUTE_MS)
}

/**
 * The schedule of a booking that is moved at `at`. Reminders are sent again for the new slot, even
 * if they were sent for the old one.
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

/** When something is next due for a confirmed booking: a reminder or, finally, its completion. */
export const nextDueAt = (schedule: Schedule, graceMinutes: number): Date =>
  remindersAhead(schedule)[0]?.dueAt ?? completesAt(schedule, graceMinutes)

/**
 * What is due for a confirmed booking at `at`. Of several overdue reminders, only the latest is
 * sent, and none once the slot has begun. `wait` only sets the next due time.
 */
export function dueNow(schedule: Schedule, graceMinutes: number, at: Date) {
  if (completesAt(schedule, graceMinutes) <= at) return 'complete'
  if (schedule.starts_at <= at) return 'wait'
  return remindersAhead(schedule).findLast(({ dueAt }) => dueAt <= at) ?? 'wait'
}
