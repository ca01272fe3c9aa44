import { addDays, dateOf, twoDigits, weekdayOf } from '../../base/local-time.ts'
import type { Day } from './day-lexicon.ts'

const SATURDAY = 6
const MONTHS_TRIED = 3

/** The local date that a day means if today is `today`. */
export function dateOfDay(day: Day, today: string): string {
  switch (day.is) {
    case 'ahead':
      return addDays(today, day.days)
    case 'now':
    case 'coming':
      return today
    case 'weekday':
      return nextWeekday(day.weekday, day.weeks, today)
    case 'weekend': {
      const isWeekend = weekdayOf(today) >= SATURDAY
      return isWeekend && day.weeks === 0 ? today : nextWeekday(SATURDAY, day.weeks, today)
    }
    case 'of a month':
      return dayOfMonth(day.day, today)
    case 'date': {
      const inYear = (year: number) => isoDate(year, day.month, day.day)
      const year = Number(today.slice(0, 4))
      if (day.year !== null) return inYear(day.year)
      return inYear(year) < today ? inYear(year + 1) : inYear(year)
    }
  }
}

/** How many days later a day means if its time is over today; 0 if it means only today. */
export function daysToNext(day: Day | null, today: string, isClock: boolean): number {
  if (day === null || day.is === 'coming') return 1
  if (day.is === 'weekday') return 7
  if (day.is === 'weekend') return weekdayOf(today) === SATURDAY ? 1 : 6
  return day.is === 'ahead' && !day.isFixed && !isClock ? 1 : 0
}

/** A note on how an ambiguous day was read. */
export function dayAssumed(day: Day, date: string, at: { now: string; timezone: string }) {
  if (day.is === 'date') return day.said ? `${day.said} is read as ${date} (day/month).` : null
  if (day.is === 'of a month') return `The ${ordinal(day.day)} is read as ${date}.`
  if (day.is === 'weekend' && date !== dateOf(at.now))
    return `The weekend is read as from Saturday ${date} on.`
  if (day.is === 'now') return `“Now” is ${at.now.slice(11, 16)} on ${date} in ${at.timezone}.`
  return null
}

function nextWeekday(weekday: number, weeks: number, today: string): string {
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  // "Next" means in the week that begins on the coming Monday.
  return addDays(today, weeks > 0 ? 7 - weekdayOf(today) + weekday : ahead + 7 * weeks)
}

/** The next date with this day of the month; some months have no 31st. */
function dayOfMonth(day: number, today: string): string {
  const [year = 0, month = 0] = today.split('-').map(Number)
  for (let more = 0; more < MONTHS_TRIED; more += 1) {
    const candidate = new Date(Date.UTC(year, month - 1 + more, day))
    const date = dateOf(candidate.toISOString())
    if (candidate.getUTCDate() === day && date >= today) return date
  }
  return today
}

const isoDate = (year: number, month: number, day: number) =>
  [year, twoDigits(month), twoDigits(day)].join('-')

const suffixes = ['th', 'st', 'nd', 'rd']
const ordinal = (day: number): string =>
  `${day}${(day > 10 && day < 14 ? undefined : suffixes[day % 10]) ?? 'th'}`
