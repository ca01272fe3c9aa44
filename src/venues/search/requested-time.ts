import { MINUTE_MS } from '../../base/durations.ts'
import {
  addDays,
  addMinutes,
  clockOn,
  dateOf,
  toInstantPastGap,
  toLocal,
  twoDigits,
  weekdayOf,
  weekdays,
} from '../../base/local-time.ts'
import type { Category } from '../../base/venue-kinds.ts'
import { type ClockTime, type DayPart, endOf, isBeforeNoon, startOf } from './clock-lexicon.ts'
import type { Day } from './day-lexicon.ts'
import { dateOfDay, dayAssumed, daysToNext } from './requested-date.ts'
import type { RequestedVisit } from './visit.ts'

/** The requested local time at a place; `from` is the first acceptable instant. */
export type RequestedTime = {
  /** YYYY-MM-DD */
  date: string | null
  /** HH:MM */
  time: string | null
  from: Date | null
  /** whether only a time that is over was asked for, so that no other may be shown */
  isOver?: true
  /** a note on an ambiguous reading */
  assumed: string | null
}

/** Acceptable distance from the wanted time, either way. */
export const NEAR_MS = 90 * MINUTE_MS

const never: RequestedTime = { date: null, time: null, from: null, assumed: null }

/** Resolves a visit to a date and time in a time zone, for a kind of venue and a caller at `at`. */
export function resolveTime(
  visit: RequestedVisit,
  { category, timezone, at }: { category: Category | null; timezone: string; at: Date },
): RequestedTime {
  const { day, clock, part } = visit
  if (!day && !clock) return never
  const now = toLocal(timezone, at)
  const isNow = day?.is === 'now' && clock === null
  const time = isNow ? now.slice(11, 16) : timeWanted(visit, category)
  const { said, meant } = datesOf(visit, time, now)
  if (meant === null) {
    const assumed = `${[time, said].filter(Boolean).join(' on ')} is over: no other time is shown.`
    return { date: said, time, from: null, isOver: true, assumed }
  }
  const ofDay = day && dayAssumed(day, said, { now, timezone })
  const from = (local: string) => laterOf(toInstantPastGap(timezone, local), at)
  if (time === null) return { ...never, date: said, from: from(`${said}T00:00:00`), assumed: ofDay }
  const local = clockOn(meant, time)
  const isBegun = !isNow && local < now
  // If part of that time of day has passed, the rest is meant.
  const [date, localTime] = [dateOf(local), (isBegun && !clock ? now : local).slice(11, 16)]
  const ofDate = dateAssumed(day, date, meant === said ? null : said)
  const ofTime = isNow ? null : assumedOf(clock, part, time)
  const isLate = isBegun && `Only the rest of it is shown: it is ${now.slice(11, 16)} there now.`
  const assumed = [ofDay, ofDate, ofTime, isLate].filter(Boolean).join(' ')
  return { date, time: localTime, from: from(local), assumed: assumed || null }
}

/** The date as said, and the one meant: the next such date if it is over, null without a next. */
function datesOf(visit: RequestedVisit, time: string | null, now: string) {
  const { day, clock } = visit
  const today = dateOf(now)
  const said = day ? dateOfDay(day, today) : today
  const later = said === today ? daysToNext(day, today, clock !== null) : 0
  const isOver = said < today || (time !== null && endAt(visit, said, time, later) < now)
  return { said, meant: isOver && later === 0 ? null : addDays(said, isOver ? later : 0) }
}

/** A note on a date that was not said; `over`: the date whose time is over. */
function dateAssumed(day: Day | null, date: string, over: string | null): string | null {
  const why = over ? `, as that time is over on ${over}` : ''
  if (day === null || day.is === 'coming') return `No day was said: ${date} is assumed${why}.`
  return over && `${weekdays[weekdayOf(date)]} ${date} is assumed${why}.`
}

const laterOf = (one: Date, other: Date) => (one < other ? other : one)

const timeWanted = ({ clock, part }: RequestedVisit, category: Category | null): string | null =>
  clock ? timeOf(clock, part, category) : part && startOf(part)

/** When the wanted time is over: a part of the day at its end; without another day, soon after. */
function endAt({ day, clock, part }: RequestedVisit, date: string, time: string, later: number) {
  if (clock === null && part && day?.is !== 'now') return clockOn(date, endOf(part))
  return addMinutes(clockOn(date, time), later > 0 ? 0 : NEAR_MS / MINUTE_MS)
}

/** Hours that mean the morning unless stated otherwise: nobody dines at seven in the morning. */
const morningHours: Record<Category, readonly [from: number, to: number]> = {
  restaurant: [10, 11],
  bar: [12, 11],
  gym: [5, 11],
  spa: [9, 11],
}

function timeOf(
  { hour, minute, half }: ClockTime,
  part: DayPart | null,
  category: Category | null,
): string {
  const clock = (hours: number) => `${twoDigits(hours)}:${twoDigits(minute)}`
  if (half === 'exact') return clock(hour)
  if (hour === 12) return clock(part && startOf(part) >= '18:00' ? 24 : 12)
  return clock(isMorning(hour, part, category) ? hour : hour + 12)
}

function isMorning(hour: number, part: DayPart | null, category: Category | null): boolean {
  if (part) return isBeforeNoon(part, hour)
  const [from, to] = morningHours[category ?? 'restaurant']
  return hour >= from && hour <= to
}

function assumedOf(clock: ClockTime | null, part: DayPart | null, time: string): string | null {
  if (!clock) return part && `No time was said: ${part} is read as from ${time}.`
  const { hour, minute, half } = clock
  const text = minute === 0 ? `${hour} o’clock` : `${hour}:${twoDigits(minute)}`
  const isPlain = time === `${hour}:${twoDigits(minute)}` && (minute > 0 || part !== null)
  return half === null && !isPlain ? `${text} is read as ${time}.` : null
}
