import OpeningHours from 'opening_hours'
import type { OpeningWindow } from '../../availability/rules/rules.ts'
import { MINUTE_MS } from '../../base/durations.ts'

/** Weekly windows with a note about ignored parts, or the reason why there are none. */
export type ParsedHours = { windows: OpeningWindow[]; note?: string } | { problem: string }

const MAX_KNOWN = 5_000
const MAX_REASON = 300
const cached = new Map<string, ParsedHours>()

/** Parses OpenStreetMap's `opening_hours` syntax; cached because most texts repeat. */
export function readHours(text: string): ParsedHours {
  const before = cached.get(text)
  if (before) return before
  const hours = parse(text)
  if (cached.size >= MAX_KNOWN) cached.clear()
  cached.set(text, hours)
  return hours
}

const sunTime = /\b(?:sunrise|sunset|dawn|dusk)\b/i
const DAY_MINUTES = 24 * 60
// A week starting on Monday, plus a day on either side, far from any clock change.
const week = [-1, 8].map((days) => new Date(2024, 0, 8 + days)) as [Date, Date]
const monday = new Date(2024, 0, 8)

function parse(text: string): ParsedHours {
  if (sunTime.test(text)) return { problem: 'follows the sun; use clock times' }
  const { weekly, holidays } = withoutHolidays(text)
  if (weekly === '') return { problem: 'says nothing about ordinary days' }
  try {
    const hours = new OpeningHours(weekly)
    if (!hours.isWeekStable()) {
      return { problem: 'is not the same every week; use the hours of an ordinary week' }
    }
    return hoursOf(hours, holidays)
  } catch (error) {
    const reason = String(error).replace(/\s+/g, ' ').trim().slice(0, MAX_REASON)
    return { problem: `is not in opening_hours syntax, as in Mo-Fr 10:00-22:00: ${reason}` }
  }
}

function hoursOf(hours: OpeningHours, leavesHolidaysOut: boolean): ParsedHours {
  const intervals = hours.getOpenIntervals(...week)
  if (intervals.some(([, , isUnknown]) => isUnknown)) {
    return { problem: 'has an open end or an unknown time; give both times' }
  }
  const windows = intervals.flatMap(([opens, closes]) => windowsOf(opens, closes))
  const notes = [
    ...(leavesHolidaysOut ? ['public and school holidays are ignored'] : []),
    ...(isGuess(hours) ? [`read as ${hoursText(windows)}`] : []),
  ]
  return notes.length > 0 ? { windows, note: notes.join('; ') } : { windows }
}

const guesses = new Set([
  'word_error_correction',
  'ambiguous_word',
  'additional_rule_separator_not_used_after_time_wrapping_midnight',
])

/** A guessed word, or a rule that cuts off the previous night, as in `Sa 18:00-02:00; Su off`. */
const isGuess = (hours: OpeningHours): boolean =>
  hours.getStructuredWarnings().some(({ type }) => guesses.has(type))

/** Removes holiday rules: holidays differ by country, and are stored as exceptions by date. */
function withoutHolidays(text: string): { weekly: string; holidays: boolean } {
  const rules = text.split(';').map((rule) => rule.trim())
  const weekly = rules
    .filter((rule) => !/^(?:PH|SH)\b(?!\s*,\s*(?:Mo|Tu|We|Th|Fr|Sa|Su))/.test(rule))
    .map((rule) => rule.replace(/(\d:\d\d)\s*,\s*(?:PH|SH)\b.*/, '$1'))
    .map((rule) => rule.replace(/\s*,\s*(?:PH|SH)\b|\b(?:PH|SH)\s*,\s*/g, ''))
    .filter(Boolean)
    .join('; ')
  return { weekly, holidays: /\b(?:PH|SH)\b/.test(text) }
}

const clockOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

/** The weekly windows of an opening; an opening longer than a day is split at midnight. */
function windowsOf(opens: Date, closes: Date): OpeningWindow[] {
  const minutes = (date: Date) => Math.round((date.getTime() - monday.getTime()) / MINUTE_MS)
  const pieces: [number, number][] = []
  let [from, until] = [minutes(opens), minutes(closes)]
  while (until - from > DAY_MINUTES) {
    const midnight = (Math.floor(from / DAY_MINUTES) + 1) * DAY_MINUTES
    pieces.push([from, midnight])
    from = midnight
  }
  pieces.push([from, until])
  return pieces
    .filter(([begin]) => begin >= 0 && begin < 7 * DAY_MINUTES)
    .map(([begin, end]) => {
      const day = Math.floor(begin / DAY_MINUTES)
      const clock = (minute: number) => clockOf(minute - day * DAY_MINUTES)
      return { day: day + 1, open: clock(begin), close: clock(end) }
    })
}

const dayNames = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

/** Weekly windows in `opening_hours` syntax, grouping days with equal hours; `off` if empty. */
export function hoursText(windows: readonly OpeningWindow[]): string {
  const runs: { from: number; to: number; times: string }[] = []
  for (let day = 1; day <= 7; day++) {
    const times = windows
      .filter((window) => window.day === day)
      .map(({ open, close }) => `${open}-${close}`)
      .join(',')
    const last = runs.at(-1)
    if (last?.times === times && last.to === day - 1) last.to = day
    else if (times !== '') runs.push({ from: day, to: day, times })
  }
  const days = (from: number, to: number) => dayNames.slice(from - 1, to)
  const range = (from: number, to: number) =>
    from === to ? dayNames[from - 1] : `${days(from, to)[0]}-${days(from, to).at(-1)}`
  const rules = runs.map(({ from, to, times }) => `${range(from, to)} ${times}`)
  // After a semicolon, a day's rule would also cut off hours that began the night before.
  const isLate = windows.some(({ close }) => close > '24:00')
  return rules.join(isLate ? ', ' : '; ') || 'off'
}
