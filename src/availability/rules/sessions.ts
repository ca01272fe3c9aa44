import { clockOn, toInstantPastGap, weekdayOf } from '../../contract/rules/local-time.ts'
import type { DayException, Rules } from './rules.ts'

/** An opening on a date: local times, a close after midnight lies on the next date. */
export type Session = { date: string; opens: string; closes: string; closesAt: Date }

/** When a venue is open: what slots and refusals are both worked out from. */
export type OpeningHours = { rules: Rules; exceptions: readonly DayException[]; timezone: string }

/** The exception that holds on a date: the first, so the more specific one comes first in the list. */
export const exceptionOn = (hours: OpeningHours, date: string): DayException | undefined =>
  hours.exceptions.find((exception) => exception.date === date)

/** The sessions that begin on a local date. */
export function sessionsOn(hours: OpeningHours, date: string): Session[] {
  const { rules, timezone } = hours
  const day = weekdayOf(date)
  const windows =
    exceptionOn(hours, date)?.windows ?? rules.windows.filter((window) => window.day === day)
  return windows.map(({ open, close }) => {
    const closes = clockOn(date, close)
    return {
      date,
      opens: clockOn(date, open),
      closes,
      closesAt: toInstantPastGap(timezone, closes),
    }
  })
}
