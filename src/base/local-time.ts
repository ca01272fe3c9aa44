import { Temporal } from 'temporal-polyfill'
import { DAY_MS, MINUTE_MS } from './durations.ts'

type ParsedSlotTime = { local: string } | { problem: 'offset' | 'malformed' }

const localPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?$/
const offsetPattern =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?([zZ]|[+-]\d\d(:?\d\d)?)(\[.*\])?$/

// The date range on which PostgreSQL and JavaScript agree.
const FIRST_YEAR = '1970'
const LAST_YEAR = '2999'

/** Normalises a local date-time to `YYYY-MM-DDTHH:MM:SS`; seconds are optional. */
export function parseSlotTime(text: string): ParsedSlotTime {
  if (offsetPattern.test(text)) return { problem: 'offset' }
  const [, minutes, seconds = ':00'] = localPattern.exec(text) ?? []
  if (minutes === undefined) return { problem: 'malformed' }
  if (minutes < FIRST_YEAR || minutes.slice(0, 4) > LAST_YEAR) return { problem: 'malformed' }
  const local = minutes + seconds
  const wall = wallOf(local)
  return !Number.isNaN(wall) && textOf(wall) === local ? { local } : { problem: 'malformed' }
}

/** The instant of a local time: null if a clock change skips it, the earlier one if it repeats. */
export function toInstant(timezone: string, local: string): Date | null {
  const wall = wallOf(local)
  // Clocks change at most once in two days, so one of these offsets is in force.
  const before = offsetAt(timezone, wall - DAY_MS)
  const after = offsetAt(timezone, wall + DAY_MS)
  if (before === after) return new Date(wall - before)
  const instants = [wall - before, wall - after].sort((a, b) => a - b)
  const match = instants.find((instant) => instant + offsetAt(timezone, instant) === wall)
  return match === undefined ? null : new Date(match)
}

/** Local times every `minutes` from `opens` until just before `closes`. */
type Times = { opens: string; closes: string; minutes: number }

/** Local times at or after an instant, with their instants (ms), omitting skipped ones. */
export function* timesFrom(timezone: string, { opens, closes, minutes }: Times, from: number) {
  const [first, end, step] = [wallOf(opens), wallOf(closes), minutes * MINUTE_MS]
  const { offset, until } = spanAt(timezone, first - DAY_MS)
  const isSteady = end + DAY_MS < until
  const passed = isSteady ? Math.max(Math.ceil((from + offset - first) / step), 0) : 0
  for (let wall = first + passed * step; wall < end; wall += step) {
    const local = textOf(wall)
    const at = isSteady ? wall - offset : toInstant(timezone, local)?.getTime()
    if (at !== undefined && at >= from) yield { local, at }
  }
}

/** Like `toInstant`, but a skipped time moves forward by the length of the gap. */
export function toInstantPastGap(timezone: string, local: string): Date {
  const wall = wallOf(local)
  return toInstant(timezone, local) ?? new Date(wall - offsetAt(timezone, wall - DAY_MS))
}

export const toLocal = (timezone: string, at: Date): string =>
  textOf(at.getTime() + offsetAt(timezone, at.getTime()))

/** The zone's UTC offset at an instant, such as `+08:00`. */
export function utcOffset(timezone: string, at: Date): string {
  const minutes = offsetAt(timezone, at.getTime()) / MINUTE_MS
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.trunc(size / 60))}:${twoDigits(size % 60)}`
}

/** Formats a deadline with its zone, to the second: `2026-11-23T19:00:00+08:00 (Asia/Makassar)`. */
export const zonedTime = (timezone: string, at: Date): string =>
  `${toLocal(timezone, at)}${utcOffset(timezone, at)} (${timezone})`

/** Formats a deadline for a sentence, never rounded up: `2026-11-23 19:00 (Asia/Makassar)`. */
export const zonedMinute = (timezone: string, at: Date): string =>
  `${toLocal(timezone, at).slice(0, 16).replace('T', ' ')} (${timezone})`

export const dateOf = (local: string): string => local.slice(0, 10)

/** When the night of a date is over, on the next one. */
const NIGHT_ENDS = 'T05:00'

/** The date to whose evening or night a local time belongs: until five, the day before. */
export const nightOf = (local: string): string => {
  const date = dateOf(local)
  return local.slice(10) < NIGHT_ENDS ? addDays(date, -1) : date
}

const MAX_SUMS = 10_000
const sums = new Map<string, string>()

/** Cached, because a search adds the same few days thousands of times. */
export function addDays(date: string, days: number): string {
  const key = `${date}${days}`
  const cached = sums.get(key)
  if (cached !== undefined) return cached
  if (sums.size === MAX_SUMS) sums.clear()
  const sum = dateOf(textOf(Date.parse(date) + days * DAY_MS))
  sums.set(key, sum)
  return sum
}

/** Names of ISO weekdays by number. */
export const weekdays = [
  '',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
]

/** ISO weekday: 1 is Monday, 7 is Sunday. */
export const weekdayOf = (date: string): number => new Date(date).getUTCDay() || 7

/** Says that the date at the start of a text does not exist: `there is no 30 February 2026`. */
export function noSuchDay(text: string): string | undefined {
  const [date, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? []).map(
    Number,
  )
  if (date === undefined) return undefined
  if (month < 1 || month > 12) return `there is no month ${month}`
  const last = new Date(Date.UTC(year, month, 0))
  if (day >= 1 && day <= last.getUTCDate()) return undefined
  const name = last.toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' })
  return `there is no ${day} ${name} ${year}`
}

/** Adds minutes to the wall-clock time, ignoring clock changes. */
export const addMinutes = (local: string, minutes: number): string =>
  textOf(wallOf(local) + minutes * MINUTE_MS)

/** Wall-clock minutes from one local date-time to another. */
export const minutesBetween = (from: string, to: string): number =>
  (wallOf(to) - wallOf(from)) / MINUTE_MS

/** Converts `HH:MM` on a date to a local date-time; `24:00` and later fall on the next date. */
export const clockOn = (date: string, clock: string): string =>
  addMinutes(`${date}T00:00:00`, minutesOf(clock))

/** The minutes after midnight of `HH:MM`, which may be past `24:00`. */
export const minutesOf = (clock: string): number =>
  Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** The reverse of `minutesOf`. */
export const clockAfter = (minutes: number): string =>
  `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`

export const twoDigits = (value: number) => String(value).padStart(2, '0')

// Treats clock readings as UTC, for Date arithmetic without a zone.
const wallOf = (local: string) => Date.parse(`${local}Z`)
const textOf = (wall: number) => new Date(wall).toISOString().slice(0, 19)

/** A period with a constant offset, in milliseconds since the epoch; `until` is exclusive. */
type Span = { from: number; until: number; offset: number }

const MAX_SPANS = 16
const spansOf = new Map<string, Span[]>()

/** Milliseconds ahead of UTC. */
const offsetAt = (timezone: string, instant: number): number => spanAt(timezone, instant).offset

/** The local dates of a zone's next `count` clock changes. */
export function clockChanges(timezone: string, at: Date, count: number): string[] {
  const dates: string[] = []
  let { until } = spanAt(timezone, at.getTime())
  while (dates.length < count && Number.isFinite(until)) {
    dates.push(dateOf(toLocal(timezone, new Date(until))))
    until = spanAt(timezone, until).until
  }
  return dates
}

/** Looking up time zone data takes 1 ms, so the periods are cached. */
function spanAt(timezone: string, instant: number): Span {
  const spans = spansOf.get(timezone) ?? []
  const cached = spans.find(({ from, until }) => from <= instant && instant < until)
  if (cached) return cached
  const span = spanAround(timezone, instant)
  spansOf.set(timezone, [span, ...spans.slice(0, MAX_SPANS - 1)])
  return span
}

function spanAround(timezone: string, instant: number): Span {
  const zoned = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone)
  // `previous` means strictly before, but a change at this very instant starts a new period.
  const previous = zoned(instant + 1).getTimeZoneTransition('previous')
  const here = zoned(instant)
  const next = here.getTimeZoneTransition('next')
  return {
    from: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: here.offsetNanoseconds / 1_000_000,
  }
}
