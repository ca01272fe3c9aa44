import OpeningHours from 'opening_hours'
import type { OpeningWindow } from '../../availability/rules/rules.ts'
import { hoursText } from './hours-text.ts'

/** Weekly windows, with what of the text they leave out; or why there are none. */
export type ParsedHours = { windows: OpeningWindow[]; note?: string } | { problem: string }

const MOST_KNOWN = 5_000
const MOST_REASON = 300
const known = new Map<string, ParsedHours>()

/** Reads hours in OpenStreetMap's `opening_hours` syntax. Equal texts, which are most, are read once. */
export function readHours(text: string): ParsedHours {
  const before = known.get(text)
  if (before) return before
  const hours = parse(text)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(text, hours)
  return hours
}

const sunTime = /\b(?:sunrise|sunset|dawn|dusk)\b/i
const DAY_MINUTES = 24 * 60
// A Monday, between two Mondays and far from any change of clocks: the week that stands for all.
const week = [-1, 8].map((days) => new Date(2024, 0, 8 + days)) as [Date, Date]
const monday = new Date(2024, 0, 8)

function parse(text: string): ParsedHours {
  if (sunTime.test(text)) return { problem: 'follows the sun; give times of the clock' }
  const { weekly, holidays } = withoutHolidays(text)
  if (weekly === '') return { problem: 'says nothing about ordinary days' }
  try {
    const hours = new OpeningHours(weekly)
    if (!hours.isWeekStable()) {
      return { problem: 'is not the same every week; give the hours of an ordinary week' }
    }
    return hoursOf(hours, holidays)
  } catch (error) {
    const reason = String(error).replace(/\s+/g, ' ').trim().slice(0, MOST_REASON)
    return { problem: `is not in opening_hours syntax, as in Mo-Fr 10:00-22:00: ${reason}` }
  }
}

function hoursOf(hours: OpeningHours, leavesHolidaysOut: boolean): ParsedHours {
  const intervals = hours.getOpenIntervals(...week)
  if (intervals.some(([, , isUnknown]) => isUnknown)) {
    return { problem: 'leaves open when it closes or whether it opens; give both times' }
  }
  const windows = intervals.flatMap(([opens, closes]) => windowsOf(opens, closes))
  const notes = [
    ...(leavesHolidaysOut ? ['what it says about public or school holidays is left out'] : []),
    ...(isGuess(hours) ? [`taken to mean ${hoursText(windows)}`] : []),
  ]
  return notes.length > 0 ? { windows, note: notes.join('; ') } : { windows }
}

const guesses = new Set([
  'word_error_correction',
  'ambiguous_word',
  'additional_rule_separator_not_used_after_time_wrapping_midnight',
])

/** Whether a word was guessed, or a rule takes hours from the night before, as in `Sa 18:00-02:00; Su off`. */
const isGuess = (hours: OpeningHours): boolean =>
  hours.getStructuredWarnings().some(({ type }) => guesses.has(type))

/** The rules for ordinary days: holidays are another calendar in every country, and exceptions by date here. */
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

/** An opening as windows of the week; one that lasts longer than a day is cut at midnight. */
function windowsOf(opens: Date, closes: Date): OpeningWindow[] {
  const minutes = (date: Date) => Math.round((date.getTime() - monday.getTime()) / 60_000)
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
