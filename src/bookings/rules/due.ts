const MINUTE_MS = 60_000
const SPREAD_MS = 2 * MINUTE_MS

/** What decides when a confirmed booking has the next thing to do. */
export type Schedule = {
  id: string
  startsAt: Date
  endsAt: Date
  /** minutes before the slot */
  reminders: readonly number[]
  /** reminders for this moment and before were sent, or their time had passed when the booking was confirmed or moved; null for none to send */
  remindedUntil: Date | null
}

/** A reminder: `time` names it, `dueAt` is when it is sent. */
export type Reminder = { minutesBefore: number; time: Date; dueAt: Date }

/**
 * Milliseconds by which everything that a booking does by itself comes early or late, at most two minutes: the same each time,
 * from the random part of its id (UUIDv7), so that bookings of the same slot do not all wake in the same moment.
 */
export const spreadOf = (bookingId: string): number =>
  Math.round((Number.parseInt(bookingId.slice(-8), 16) / 0xffffffff - 0.5) * 2 * SPREAD_MS)

/** When a booking completes by itself: at its end and the grace time, spread, and never before its end. */
export function completesAt({ id, endsAt }: Pick<Schedule, 'id' | 'endsAt'>, graceMinutes: number) {
  const spread = endsAt.getTime() + graceMinutes * MINUTE_MS + spreadOf(id)
  return new Date(Math.max(endsAt.getTime(), spread))
}

/** The reminders that are still to be sent, the next one first. */
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
 * The schedule of a booking that is moved at this moment: what lies ahead of the new slot is reminded of, also what was for the
 * old one. Where the slot stays, nothing changes.
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

/** When a confirmed booking has the next thing to do: its next reminder or, after the last, its completion. */
export const nextDueAt = (schedule: Schedule, graceMinutes: number): Date =>
  remindersAhead(schedule)[0]?.dueAt ?? completesAt(schedule, graceMinutes)

/**
 * What a confirmed booking has to do at this moment. Of several reminders that are overdue only the latest is sent, and none once
 * the slot has begun; `wait` when there is nothing to do but to look at the clock again.
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
