import { addDays, dateOf, twoDigits, weekdayOf, weekdays } from '../../base/local-time.ts'
import { feasts } from './calendar-lexicon.ts'
import type { Day } from './day-lexicon.ts'

const SATURDAY = 6
const MONTHS_TRIED = 3

/** The local date that a day means if today is `today`; null if no date is known for it. */
export function dateOfDay(day: Day, { today, timezone }: { today: string; timezone: string }) {
  switch (day.is) {
    case 'ahead':
      return addDays(today, day.days)
    case 'months':
      return inMonths(today, day.months)
    case 'weekday': {
      const ahead = (day.weekday - weekdayOf(today) + 7) % 7 || (day.of === 'after' ? 7 : 0)
      const inThisWeek = day.weekday - weekdayOf(today)
      return addDays(today, (day.of === 'week' ? inThisWeek : ahead) + 7 * day.weeks)
    }
    case 'week':
      return day.weeks === 0 ? today : addDays(today, 7 * day.weeks + 1 - weekdayOf(today))
    case 'weekend': {
      const isWeekend = weekdayOf(today) >= SATURDAY
      if (isWeekend && day.weeks === 0) return today
      return addDays(today, 7 * day.weeks + SATURDAY - weekdayOf(today))
    }
    case 'month':
      return inMonth(day, today)
    case 'of a month':
      return day.ahead === null
        ? dayOfMonth(day.day, today)
        : validDate(
            `${inMonths(`${today.slice(0, 8)}01`, day.ahead).slice(0, 8)}${twoDigits(day.day)}`,
          )
    case 'date':
      return day.year === null
        ? nextOf(day, today)
        : validDate(isoDate(day.year, day.month, day.day))
    case 'feast':
      return feastOn(day, today, timezone)
    case 'over':
      return null
    default:
      return today
  }
}

function inMonth(day: Extract<Day, { is: 'month' }>, today: string): string {
  const start = monthStart(day, today)
  if (day.weekday === undefined) return start > today ? start : today
  return addDays(start, (day.weekday - weekdayOf(start) + 7) % 7)
}

/** The same day some months later, or the last of that month. */
function inMonths(date: string, ahead: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + ahead, 0)).getUTCDate()
  return dateOf(new Date(Date.UTC(year, month - 1 + ahead, Math.min(day, last))).toISOString())
}

function monthStart({ month, ahead, from }: Extract<Day, { is: 'month' }>, today: string): string {
  const [year = 0, current = 0] = today.split('-').map(Number)
  const first =
    month === null
      ? inMonths(`${today.slice(0, 8)}01`, ahead)
      : isoDate(month < current ? year + 1 : year, month, 1)
  return from > 0 ? addDays(first, from - 1) : addDays(inMonths(first, 1), from)
}

/** The next date with this month and day; the 29th of February only in its years. */
function nextOf({ month, day }: { month: number; day: number }, today: string): string | null {
  const year = Number(today.slice(0, 4))
  const dates = Array.from({ length: 9 }, (_, more) => isoDate(year + more, month, day))
  return dates.find((date) => date >= today && validDate(date) !== null) ?? null
}

const validDate = (date: string): string | null => {
  const time = Date.parse(date)
  return !Number.isNaN(time) && dateOf(new Date(time).toISOString()) === date ? date : null
}

function feastOn({ name, year }: Extract<Day, { is: 'feast' }>, today: string, timezone: string) {
  const { dates, everyYear } = feasts[name] ?? { dates: [], everyYear: [] }
  const fixed =
    everyYear.find((one) => one.timezone === timezone) ??
    everyYear.find((one) => one.timezone === null)
  if (fixed) return year === null ? nextOf(fixed, today) : isoDate(year, fixed.month, fixed.day)
  const match = dates.find((date) => (year === null ? date >= today : date.startsWith(`${year}`)))
  return match ?? null
}

/** How many days later a day means if its time is over today; 0 if it means only today. */
export function daysToNext(day: Day | null, today: string, isClock: boolean): number {
  if (day === null || day.is === 'coming') return 1
  if (day.is === 'week' || day.is === 'month') return 'weekday' in day ? 0 : 1
  if (day.is === 'weekday') return day.of === 'coming' && day.weeks === 0 ? 7 : 0
  if (day.is === 'weekend') return weekdayOf(today) === SATURDAY ? 1 : 6
  return day.is === 'ahead' && !day.isFixed && !isClock ? 1 : 0
}

type At = { said: string; now: string; timezone: string }

/** A note on how an ambiguous day was read. */
export function dayAssumed(day: Day, date: string, { said, now, timezone }: At): string | null {
  const full = `${weekdays[weekdayOf(date)]} ${date}`
  switch (day.is) {
    case 'date': {
      if (day.isFirst) return `${first(said)} is read as from ${full} on.`
      if (!day.orElse) return null
      return `${said.replace(/^(?:on|for|the|by) /, '')} is read as ${date} (day/month).`
    }
    case 'of a month':
      return `The ${ordinal(day.day)} is read as ${date}.`
    case 'weekend':
      return date === dateOf(now) ? null : `The weekend is read as from ${full} on.`
    case 'week':
    case 'month':
      if ('weekday' in day) return `${first(said)} is read as ${full}.`
      return `${first(said)} is read as from ${full} on.`
    case 'weekday':
      return day.of !== 'week' && day.weeks === 0 && !said.startsWith('malam')
        ? null
        : `${first(said)} is read as ${full}.`
    case 'months':
      return `${first(said)} is read as ${full}.`
    case 'feast':
      return feastAssumed(day, full)
    case 'now':
      return `“Now” is ${now.slice(11, 16)} on ${date} in ${timezone}.`
    default:
      return null
  }
}

function feastAssumed({ name }: Extract<Day, { is: 'feast' }>, full: string): string | null {
  const feast = feasts[name]
  if (!feast || (feast.dates.length === 0 && feast.everyYear.length === 1)) return null
  const sighting = feast.bySighting ? ', or a day earlier or later: the new moon decides' : ''
  return `${first(name)} is read as ${full}${sighting}.`
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

const first = (said: string) => `“${said}”`

const suffixes = ['th', 'st', 'nd', 'rd']
const ordinal = (day: number): string =>
  `${day}${(day > 10 && day < 14 ? undefined : suffixes[day % 10]) ?? 'th'}`
