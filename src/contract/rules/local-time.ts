import { Temporal } from 'temporal-polyfill'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** A slot time as an agent wrote it: normalised to `YYYY-MM-DDTHH:MM:SS`, or what is wrong with it. */
export type ParsedSlotTime = { local: string } | { problem: 'offset' | 'malformed' }

const localPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?$/
const offsetPattern =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?([zZ]|[+-]\d\d(:?\d\d)?)(\[.*\])?$/

// Bookable times lie in here with centuries to spare; beyond, dates of the database and of the language differ.
const FIRST_YEAR = '1970'
const LAST_YEAR = '2999'

/** Reads a local date-time, seconds optional; `offset` when it carries `Z` or an offset, `malformed` when no such time exists. */
export function parseSlotTime(text: string): ParsedSlotTime {
  if (offsetPattern.test(text)) return { problem: 'offset' }
  const [, minutes, seconds = ':00'] = localPattern.exec(text) ?? []
  if (minutes === undefined) return { problem: 'malformed' }
  if (minutes < FIRST_YEAR || minutes.slice(0, 4) > LAST_YEAR) return { problem: 'malformed' }
  const local = minutes + seconds
  const wall = wallOf(local)
  return !Number.isNaN(wall) && textOf(wall) === local ? { local } : { problem: 'malformed' }
}

/** The instant of a local time: null when a change of clocks skips it, the earlier one when it happens twice. */
export function toInstant(timezone: string, local: string): Date | null {
  const wall = wallOf(local)
  // Clocks change at most once in two days, so one of these offsets is in force.
  const before = offsetAt(timezone, wall - DAY_MS)
  const after = offsetAt(timezone, wall + DAY_MS)
  if (before === after) return new Date(wall - before)
  const instants = [wall - before, wall - after].sort((a, b) => a - b)
  const found = instants.find((instant) => instant + offsetAt(timezone, instant) === wall)
  return found === undefined ? null : new Date(found)
}

/** As `toInstant`, and for a skipped time the moment as long after the change as the time is. */
export function toInstantPastGap(timezone: string, local: string): Date {
  const wall = wallOf(local)
  return toInstant(timezone, local) ?? new Date(wall - offsetAt(timezone, wall - DAY_MS))
}

/** The local date-time at an instant, to the second. */
export const toLocal = (timezone: string, at: Date): string =>
  textOf(at.getTime() + offsetAt(timezone, at.getTime()))

/** The zone's offset from UTC at an instant, as in `+08:00`. */
export function utcOffset(timezone: string, at: Date): string {
  const minutes = offsetAt(timezone, at.getTime()) / MINUTE_MS
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.trunc(size / 60))}:${twoDigits(size % 60)}`
}

/** The date of a local date-time. */
export const dateOf = (local: string): string => local.slice(0, 10)

const MOST_SUMS = 10_000
const sums = new Map<string, string>()

/** The date so many days later, or earlier if negative. A search asks for the same few thousands of times. */
export function addDays(date: string, days: number): string {
  const key = `${date}${days}`
  const known = sums.get(key)
  if (known !== undefined) return known
  if (sums.size === MOST_SUMS) sums.clear()
  const sum = dateOf(textOf(Date.parse(date) + days * DAY_MS))
  sums.set(key, sum)
  return sum
}

/** ISO weekday: 1 is Monday, 7 is Sunday. */
export const weekdayOf = (date: string): number => new Date(date).getUTCDay() || 7

/** The local date-time when the clock has moved on by `minutes`. */
export const addMinutes = (local: string, minutes: number): string =>
  textOf(wallOf(local) + minutes * MINUTE_MS)

/** Minutes of the clock from one local date-time to another. */
export const minutesBetween = (from: string, to: string): number =>
  (wallOf(to) - wallOf(from)) / MINUTE_MS

/** The local date-time at which `HH:MM` of a date comes; `24:00` and more lie on the next date. */
export const clockOn = (date: string, clock: string): string =>
  addMinutes(`${date}T00:00:00`, Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5)))

const twoDigits = (value: number) => String(value).padStart(2, '0')

// Clock readings are counted as if they were UTC: the arithmetic of Date, without any zone.
const wallOf = (local: string) => Date.parse(`${local}Z`)
const textOf = (wall: number) => new Date(wall).toISOString().slice(0, 19)

/** A time in which a zone keeps its offset (milliseconds since the epoch, `until` excluded). */
type Span = { from: number; until: number; offset: number }

const MAX_SPANS = 16
const spansOf = new Map<string, Span[]>()

/** Milliseconds ahead of UTC. Asking the time zone data costs a millisecond, so each span between two changes is asked once. */
function offsetAt(timezone: string, instant: number): number {
  const spans = spansOf.get(timezone) ?? []
  const known = spans.find(({ from, until }) => from <= instant && instant < until)
  if (known) return known.offset
  const span = spanAround(timezone, instant)
  spansOf.set(timezone, [span, ...spans.slice(0, MAX_SPANS - 1)])
  return span.offset
}

function spanAround(timezone: string, instant: number): Span {
  const zoned = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone)
  // A change at this very instant begins its span: "previous" is strictly before.
  const previous = zoned(instant + 1).getTimeZoneTransition('previous')
  const here = zoned(instant)
  const next = here.getTimeZoneTransition('next')
  return {
    from: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: here.offsetNanoseconds / 1_000_000,
  }
}
