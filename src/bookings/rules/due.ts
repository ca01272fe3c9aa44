const MINUTE_MS = 60_000
const SPREAD_MS = 2 * MINUTE_MS

/** What decides when something is due of a confirmed booking. */
export type Schedule = {
  id: string
  startsAt: Date
  endsAt: Date
  /** minutes before the slot */
  reminders: readonly number[]
  /** reminders up to this moment are sent or skipped; null when none are to be sent */
  remindedUntil: Date | null
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

/**
 * When a booking completes by itself: at its end plus the grace time, shifted, never before its
 * end.
 */
export function completesAt({ id, endsAt }: Pick<Schedule, 'id' | 'endsAt'>, graceMinutes: number) {
  const spread = endsAt.getTime() + graceMinutes * MINUTE_MS + spreadOf(id)
  return new Date(Math.max(endsAt.getTime(), spread))
}

/** The reminders still to be sent, the next one first. */
export function remindersAhead({ id, startsAt, reminders, remindedUntil }: Schedule): Reminder[] {
  if (!remindedUntil) return []
  return [...new Set(reminders)]
    .sort((a, b) => b - a)
    .map((minutesBefore) => {
      const time = new Date(startsAt.getTime() - minutesBefore * MINUTE_MS)
      return { minutesBefore, time, dueAt: new Date(time.getTime() + spreadOf(id)) }
    })
    .filter(({ time }) => time > remindedUntil)
}

/**
 * The schedule of a booking that is moved at `at`. Reminders ahead of the new slot are sent again,
 * even if they were sent for the old one.
 */
export function moved(
  schedule: Schedule,
  { startsAt, endsAt }: Pick<Schedule, 'startsAt' | 'endsAt'>,
  at: Date,
): Schedule {
  const { remindedUntil } = schedule
  const stays = startsAt.getTime() === schedule.startsAt.getTime()
  const isLater = remindedUntil !== null && remindedUntil > at
  return { ...schedule, startsAt, endsAt, remindedUntil: stays || isLater ? remindedUntil : at }
}

/**
 * When something is due of a confirmed booking: its next reminder or, after the last, its
 * completion.
 */
export const nextDueAt = (schedule: Schedule, graceMinutes: number): Date =>
  remindersAhead(schedule)[0]?.dueAt ?? completesAt(schedule, graceMinutes)

/**
 * What is due of a confirmed booking at `at`. Of several overdue reminders only the latest is sent,
 * and none once the slot has begun. `wait` only sets the next due time.
 */
export function dueNow(
  schedule: Schedule,
  graceMinutes: number,
  at: Date,
): 'complete' | 'wait' | Reminder {
  if (completesAt(schedule, graceMinutes) <= at) return 'complete'
  if (schedule.startsAt <= at) return 'wait'
  return remindersAhead(schedule).findLast(({ dueAt }) => dueAt <= at) ?? 'wait'
}
