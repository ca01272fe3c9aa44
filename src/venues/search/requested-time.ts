import {
  addDays,
  clockOn,
  dateOf,
  toInstantPastGap,
  toLocal,
  weekdayOf,
} from '../../contract/rules/local-time.ts'
import type { Category } from '../../contract/rules/venue-kinds.ts'
import { type Clock, type DayPart, startOf } from './clock-words.ts'
import type { Day } from './day-words.ts'
import type { Visit } from './visit.ts'

/** The requested local time at a place; `from` is the first acceptable instant. */
export type RequestedTime = {
  /** YYYY-MM-DD */
  date: string | null
  /** HH:MM */
  time: string | null
  from: Date | null
  /** how something was read that could have meant something else */
  assumed: string | null
}

const never: RequestedTime = { date: null, time: null, from: null, assumed: null }

/** Resolves a visit to a date and time in a zone, for a kind of venue and a caller at `at`. */
export function resolveTime(
  { day, clock, part }: Visit,
  { category, timezone, at }: { category: Category | null; timezone: string; at: Date },
): RequestedTime {
  if (!day && !clock) return never
  const today = dateOf(toLocal(timezone, at))
  const said = day ? dateOfDay(day, today) : today
  if (said < today) return { ...never, assumed: `${said} is over: any day is shown.` }
  const time = clock ? timeOf(clock, part, category) : part && startOf(part)
  if (time === null)
    return {
      ...never,
      date: said,
      from: laterOf(toInstantPastGap(timezone, `${said}T00:00:00`), at),
    }
  const on = (date: string) => clockOn(date, time)
  const isOver = toInstantPastGap(timezone, on(said)) < at
  const isOpen = clock !== null && (!day || day.is === 'weekday')
  const local = isOver && isOpen ? on(addDays(said, day ? 7 : 1)) : on(said)
  return {
    date: dateOf(local),
    time: local.slice(11, 16),
    from: laterOf(toInstantPastGap(timezone, local), at),
    assumed: assumedOf(clock, part, time),
  }
}

const laterOf = (one: Date, other: Date) => (one < other ? other : one)

function dateOfDay(day: Day, today: string): string {
  if (day.is === 'ahead') return addDays(today, day.days)
  if (day.is === 'weekday') {
    const ahead = (day.weekday - weekdayOf(today) + 7) % 7
    // "Next" is in the week that begins on the coming Monday.
    return addDays(today, day.weeks > 0 ? 7 - weekdayOf(today) + day.weekday : ahead)
  }
  const inYear = (year: number) => [year, twoDigits(day.month), twoDigits(day.day)].join('-')
  const year = Number(today.slice(0, 4))
  if (day.year !== null) return inYear(day.year)
  return inYear(year) < today ? inYear(year + 1) : inYear(year)
}

/** Hours that mean the morning unless said otherwise: nobody dines at seven in the morning. */
const morningHours: Record<Category, readonly [from: number, to: number]> = {
  restaurant: [10, 11],
  bar: [12, 11],
  gym: [5, 11],
  spa: [9, 11],
}

function timeOf(
  { hour, minute, half }: Clock,
  part: DayPart | null,
  category: Category | null,
): string {
  const clock = (hours: number) => `${twoDigits(hours)}:${twoDigits(minute)}`
  if (half === 'exact') return clock(hour)
  if (hour === 12) return clock(part === 'evening' ? 24 : 12)
  return clock(isMorning(hour, part, category) ? hour : hour + 12)
}

function isMorning(hour: number, part: DayPart | null, category: Category | null): boolean {
  if (part === 'morning' || part === 'late morning') return true
  if (part === 'midday') return hour >= 10
  if (part) return false
  const [from, to] = morningHours[category ?? 'restaurant']
  return hour >= from && hour <= to
}

function assumedOf(clock: Clock | null, part: DayPart | null, time: string): string | null {
  if (!clock) return part && `No time was said: ${part} is read as from ${time}.`
  return clock.half === null ? `${clock.hour} o’clock is read as ${time}.` : null
}

const twoDigits = (value: number) => String(value).padStart(2, '0')
