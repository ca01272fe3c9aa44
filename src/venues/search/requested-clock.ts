import { NEAR_MS } from '../../availability/store/next-slots.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { addMinutes, clockOn, dateOf, minutesOf, twoDigits } from '../../base/local-time.ts'
import type { Category } from '../../base/venue-kinds.ts'
import { type DayPart, endOf, startOf } from './calendar-lexicon.ts'
import { type ClockTime, timeOf } from './clock-lexicon.ts'
import type { RequestedVisit } from './visit.ts'

/** "Before seven" begins this much earlier. */
const BOUND_MINUTES = 120
/** A visit that ends by seven takes this long, if nothing else was said. */
const VISIT_MINUTES = 90

/** The wanted time on a date as `HH:MM`; null if none was said. */
export function timeWanted(
  visit: RequestedVisit,
  said: string,
  { category, now }: { category: Category | null; now: string },
): string | null {
  const { clock, part, day } = visit
  if (!clock) return part && startOf(part)
  if (!clock.from) {
    const until = minutesOf(boundOf(visit, category))
    const start = part ? minutesOf(startOf(part)) : 0
    const earliest = Math.max(until - BOUND_MINUTES, 0)
    return clockText(start > 0 && start < until ? start : earliest)
  }
  const time = timeOf(clock.from, part, category)
  const isNight = day !== null && part !== null && startOf(part) >= '18:00'
  if (isNight && isSmallHour(clock.from, part)) return clockText((minutesOf(time) % 720) + 24 * 60)
  // "Today at 7", said at ten in the morning, is in the evening.
  const evening = clockText(minutesOf(time) + 12 * 60)
  const isOver = clock.from.half === null && part === null && said === dateOf(now)
  const isEvening = isOver && time < '12:00' && clockOn(said, time) < now
  return isEvening && clockOn(said, evening) > now && day?.is === 'ahead' ? evening : time
}

const clockText = (minutes: number) =>
  `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`

/** Hours that belong to the night of the day before. */
const isSmallHour = ({ hour, half }: ClockTime, part: DayPart): boolean =>
  half === 'exact' ? hour < 5 : part === 'tonight' && hour <= 3

/** The last time to begin for "before seven" or "out by seven"; else the end of the day. */
export function boundOf(
  { clock, part, minutes: [length = VISIT_MINUTES] }: RequestedVisit,
  category: Category | null,
): string {
  const bound = clock?.until ? timeOf(clock.until, part, category) : '24:00'
  return clock?.is === 'ends' ? clockText(Math.max(minutesOf(bound) - length, 0)) : bound
}

/** The last wanted time as `HH:MM` of the day of `time`, and how it is said. */
export function untilOf(
  visit: RequestedVisit,
  time: string,
  category: Category | null,
): { last: string | null; said: string | null } | null {
  const { clock, part, isPartImplied } = visit
  if (!clock) return part && !isPartImplied ? { last: endOf(part), said: null } : null
  const { until, is } = clock
  if (!until) return null
  if (is === 'ends') {
    const last = boundOf(visit, category)
    const end = timeOf(until, part, category)
    return { last, said: `Times from ${time} to ${last} are shown first, to end by ${end}.` }
  }
  const step = until.half === null ? 12 * 60 : 24 * 60
  let minutes =
    is !== 'before' && is !== 'by'
      ? until.hour * 60 + until.minute
      : minutesOf(timeOf(until, null, category))
  if (until.half === null && is !== 'before' && is !== 'by') minutes %= step
  while (minutes <= minutesOf(time)) minutes += step
  const end = clockText(minutes % (24 * 60))
  if (is === 'choice' && minutes - minutesOf(time) > 60) {
    const said = `Of ${time} and ${end}, ${time} is shown: send \`time\` for the other.`
    return { last: null, said }
  }
  const [last, to] = is === 'before' ? [minutes - 1, 'until before'] : [minutes, 'to']
  return { last: clockText(last), said: `Times from ${time} ${to} ${end} are shown first.` }
}

/** When the wanted time is over: a part of the day at its end; without another day, soon after. */
export function endAt(
  { day, clock, part }: RequestedVisit,
  date: string,
  time: string,
  later: number,
): string {
  if (clock === null && part && day?.is !== 'now') return clockOn(date, endOf(part))
  if (clock?.is === 'after' && later === 0) return clockOn(date, '24:00')
  return addMinutes(clockOn(date, time), later > 0 ? 0 : NEAR_MS / MINUTE_MS)
}
