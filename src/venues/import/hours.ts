import type { OpeningWindow } from '../../availability/rules/rules.ts'
import { clockAfter } from '../../base/local-time.ts'
import type { HoursRule } from './hours-parser.ts'
import { readRules } from './hours-rules.ts'

/** Weekly windows with a note on omissions and guesses, or the reason why there are none. */
export type ParsedHours = { windows: OpeningWindow[]; note?: string } | { problem: string }

const MAX_KNOWN = 5_000
const cached = new Map<string, ParsedHours>()

/**
 * Reads weekly hours in OpenStreetMap's `opening_hours` syntax or as people write them; cached
 * because most texts repeat. Ambiguous texts are refused, or read with a note.
 */
export function readHours(text: string): ParsedHours {
  const before = cached.get(text)
  if (before) return before
  const hours = parse(text)
  if (cached.size >= MAX_KNOWN) cached.clear()
  cached.set(text, hours)
  return hours
}

function parse(text: string): ParsedHours {
  const read = readRules(text)
  if ('problem' in read) return read
  const { week, isUnclear } = weekOf(read.rules)
  const windows = windowsOf(week)
  const guess = read.isGuess || isUnclear ? [`read as ${hoursText(windows)}`] : []
  const notes = [...read.notes, ...guess]
  return notes.length > 0 ? { windows, note: notes.join('; ') } : { windows }
}

type Span = [from: number, until: number]
const DAY = 24 * 60

/**
 * The spans of each day. A rule after a semicolon replaces the earlier hours of its days, but a
 * night belongs whole to the day on which it begins: nobody means to sell two hours of Tuesday
 * with `Mo-Su 18:00-02:00; Mo off`. Hours that lie apart on the same days are kept, as a break.
 */
function weekOf(rules: readonly HoursRule[]): { week: Span[][]; isUnclear: boolean } {
  const week: Day[] = Array.from({ length: 7 }, () => ({ spans: [] }))
  let isUnclear = false
  for (const rule of rules) {
    for (const at of rule.days) {
      const before = week[at - 1] ?? { spans: [] }
      const day = dayAfter(before, rule)
      isUnclear ||= day.isUnclear || cutsNight(week[(at + 5) % 7], rule)
      week[at - 1] = day
    }
  }
  return { week: week.map(({ spans }) => spans), isUnclear }
}

type Day = { spans: Span[]; rule?: HoursRule }

/** A day after a rule, and whether the rule could mean something else. */
function dayAfter({ spans: before, rule: last }: Day, rule: HoursRule) {
  const { spans, isAdded } = rule
  const isAgain = before.length > 0 && last?.days.join() === rule.days.join()
  const isApart = before.every(([from, until]) =>
    spans.every(([begin, end]) => end <= from || until <= begin),
  )
  const adds = spans.length > 0 && (isAdded || (isAgain && isApart))
  const isOdd = before.length > 0 && spans.length > 0 && adds !== isApart
  return {
    spans: adds ? [...before, ...spans] : [...spans],
    rule,
    isUnclear: isOdd || (isAgain && !isAdded),
  }
}

const cutsNight = (eve: Day | undefined, rule: HoursRule): boolean =>
  !rule.isAdded && eve?.rule !== rule && eve?.spans.some(([, until]) => until > DAY) === true

/** Joins spans that touch, around the week; one longer than a day is split at midnight. */
function windowsOf(week: readonly Span[][]): OpeningWindow[] {
  const spans = [-1, 0, 1].flatMap((turn) =>
    week.flatMap((day, index) =>
      day.map(([from, until]): Span => {
        const midnight = (turn * 7 + index) * DAY
        return [midnight + from, midnight + until]
      }),
    ),
  )
  const joined: Span[] = []
  for (const [from, until] of spans.sort(([one], [other]) => one - other)) {
    const last = joined.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], until)
    else joined.push([from, until])
  }
  return joined.flatMap(daysOf)
}

function daysOf([from, until]: Span): OpeningWindow[] {
  const pieces: Span[] = []
  for (let begin = from; begin < until; ) {
    const midnight = (Math.floor(begin / DAY) + 1) * DAY
    const end = until - begin > DAY ? midnight : until
    pieces.push([begin, end])
    begin = end
  }
  return pieces
    .filter(([begin]) => begin >= 0 && begin < 7 * DAY)
    .map(([begin, end]) => {
      const day = Math.floor(begin / DAY)
      const clock = (minute: number) => clockAfter(minute - day * DAY)
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
  // In standard syntax, a day's rule after a semicolon also cuts off the previous night.
  const isLate = windows.some(({ close }) => close > '24:00')
  return rules.join(isLate ? ', ' : '; ') || 'off'
}
