import {
  addDays,
  clockOn,
  dateOf,
  toInstantPastGap,
  toLocal,
  twoDigits,
} from '../../base/local-time.ts'
import type { Category } from '../../base/venue-kinds.ts'
import { type ClockTime, type DayPart, endOf, isBeforeNoon, startOf } from './clock-lexicon.ts'
import type { Day } from './day-lexicon.ts'
import { dateOfDay, dayAssumed } from './requested-date.ts'
import type { RequestedVisit } from './visit.ts'

/** The requested local time at a place; `from` is the first acceptable instant. */
export type RequestedTime = {
  /** YYYY-MM-DD */
  date: string | null
  /** HH:MM */
  time: string | null
  from: Date | null
  /** a note on an ambiguous reading */
  assumed: string | null
}

const never: RequestedTime = { date: null, time: null, from: null, assumed: null }

/** Resolves a visit to a date and time in a time zone, for a kind of venue and a caller at `at`. */
export function resolveTime(
  visit: RequestedVisit,
  { category, timezone, at }: { category: Category | null; timezone: string; at: Date },
): RequestedTime {
  const { day, clock, part } = visit
  if (!day && !clock) return never
  const now = toLocal(timezone, at)
  const today = dateOf(now)
  const base = day ? dateOfDay(day, today) : today
  if (base < today) return { ...never, assumed: `${base} is over: any day is shown.` }
  const ofDay = day && dayAssumed(day, base, { now, timezone })
  const from = (local: string) => laterOf(toInstantPastGap(timezone, local), at)
  const isNow = day?.is === 'now' && clock === null
  const time = isNow ? now.slice(11, 16) : timeWanted(visit, category)
  if (time === null) return { ...never, date: base, from: from(`${base}T00:00:00`), assumed: ofDay }
  const local = timeAhead(visit, { base, time, now })
  const isBegun = !isNow && local < now
  // If part of that time of day has passed, the rest is meant.
  const [date, localTime] = [dateOf(local), (isBegun && !clock ? now : local).slice(11, 16)]
  const ofNoDay = isDayless(day) ? noDayAssumed(date, today) : null
  const ofTime = isNow ? null : assumedOf(clock, part, time)
  const isLate = isBegun && `Only the rest of it is shown: it is ${now.slice(11, 16)} there now.`
  const assumed = [ofDay, ofNoDay, ofTime, isLate].filter(Boolean).join(' ')
  return { date, time: localTime, from: from(local), assumed: assumed || null }
}

const laterOf = (one: Date, other: Date) => (one < other ? other : one)

const isDayless = (day: Day | null) => day === null || day.is === 'coming'

const timeWanted = ({ clock, part }: RequestedVisit, category: Category | null): string | null =>
  clock ? timeOf(clock, part, category) : part && startOf(part)

/** The wanted local time; without a definite day, the next such time that has not passed. */
function timeAhead(
  { day, clock, part }: RequestedVisit,
  when: { base: string; time: string; now: string },
) {
  const { base, time, now } = when
  const on = (date: string) => clockOn(date, time)
  const end = clock === null && part ? clockOn(base, endOf(part)) : on(base)
  const isOpen = isDayless(day) || (clock !== null && day?.is === 'weekday')
  return end < now && isOpen ? on(addDays(base, isDayless(day) ? 1 : 7)) : on(base)
}

const noDayAssumed = (date: string, today: string) =>
  date > today
    ? `No day was said: ${date} is assumed, as that time is over on ${today}.`
    : `No day was said: ${date} is assumed.`

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
  if (hour === 12) return clock(part === 'evening' ? 24 : 12)
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
