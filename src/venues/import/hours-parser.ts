import type { Time, Token } from './hours-tokens.ts'

/** Hours on these days; without spans, the days are closed. `isAdded`: the rule follows a comma. */
export type HoursRule = {
  days: readonly number[]
  spans: readonly [from: number, until: number][]
  isAdded: boolean
}

export const EXAMPLE = 'Mo-Fr 10:00-22:00; Sa 18:00-02:00; Su off'
const NO_TIMES = 'gives days without an opening and a closing time, as in Mo-Fr 10:00-22:00'
const NO_DAYS = 'has times without days after another rule'
const ALL_CLOSED = 'ends with a rule that closes every day; write off, or leave that rule out'
const BETWEEN = `names days between two rules; write them as in ${EXAMPLE}`
const NO_MERIDIEM = 'does not say whether a time is a.m. or p.m.; write 17:00 for 5 p.m.'
const ALMOST_A_DAY =
  'closes more than 17 hours after it opens, on the next day; if it does, write 18:00-24:00, ' +
  '00:00-17:00'
const week = [1, 2, 3, 4, 5, 6, 7]

type Problem = { problem: string }
type Parsed = { rules: HoursRule[]; hasHolidays: boolean; isGuess: boolean }

const letters = { day: 'D', holiday: 'H', time: 'T', off: 'O', always: 'A' } as const
const someDays = '(?:D-D|D|H)(?:,?(?:D-D|D|H))*'
/** A rule as a string of token letters; its days may follow its hours, as in 10am-6pm Mon-Fri. */
const form = new RegExp(
  `([;,]*)(?:(${someDays}):?)?(O|A|T-T(?:,?T-T)*)(${someDays}(?=[;,]|$))?`,
  'dy',
)

/** The rules in these tokens; rules about holidays alone are left out. */
export function rulesOf(tokens: readonly Token[]): Parsed | Problem {
  const text = tokens.map(({ is }) => letters[is as keyof typeof letters] ?? is).join('')
  const isSure = tokens.some((token) => token.is === 'time' && isOn24Hours(token))
  const parsed: Parsed = { rules: [], hasHolidays: false, isGuess: false }
  const end = text.replace(/[;,]+$/, '').length
  for (form.lastIndex = 0; form.lastIndex < end; ) {
    const match = form.exec(text)
    const rule = match ? ruleOf(match, tokens, isSure) : { problem: NO_TIMES }
    if ('problem' in rule) return rule
    const isFirst = parsed.rules.every(({ days }) => days.length === 0)
    if (!rule.days && !isFirst) return { problem: rule.spans.length > 0 ? NO_DAYS : ALL_CLOSED }
    parsed.rules.push({ ...rule, days: rule.days ?? week })
    parsed.hasHolidays ||= rule.hasHolidays
    parsed.isGuess ||= rule.isGuess || (!isFirst && rule.isUnseparated)
  }
  return { ...parsed, rules: parsed.rules.filter(({ days }) => days.length > 0) }
}

function ruleOf(match: RegExpExecArray, tokens: readonly Token[], isSure: boolean) {
  const [all, between = '', before, , behind] = match
  const end = match.index + all.length
  const flaw = flawOf(match.input.slice(end), before, behind)
  if (flaw) return { problem: flaw }
  const hours = spansOf(tokens.slice(...(match.indices?.[3] ?? [])), isSure)
  if ('problem' in hours) return hours
  return {
    spans: hours.spans,
    days: daysOf(tokens.slice(match.index, end), before ?? behind),
    isAdded: between.includes(',') && !between.includes(';'),
    hasHolidays: all.includes('H'),
    isGuess: hours.isGuess || behind !== undefined,
    isUnseparated: between === '',
  }
}

/** What is wrong with a rule, given the text after it; undefined if nothing is. */
function flawOf(rest: string, before: string | undefined, behind: string | undefined) {
  if (/^O(?![DH])/.test(rest)) return 'closes for part of a day; give the hours that remain'
  if (/^[-T]/.test(rest) || (before && behind)) return NO_TIMES
  return !before && /^[DH]/.test(rest) ? BETWEEN : undefined
}

/** The days of a rule, none if it is about holidays: `SH Mo-Fr` is, `SH,Mo-Fr` is not only. */
function daysOf(tokens: readonly Token[], form: string | undefined): number[] | undefined {
  if (form === undefined) return undefined
  if (/^H+D/.test(form)) return []
  const days = tokens.flatMap((token, at) => {
    if (token.is !== 'day') return []
    const [dash, last] = tokens.slice(at + 1, at + 3)
    const [from = 1] = token.of
    if (dash?.is !== '-' || last?.is !== 'day') return token.of
    const length = (((last.of[0] ?? 1) - from + 7) % 7) + 1
    return Array.from({ length }, (_, step) => ((from - 1 + step) % 7) + 1)
  })
  return [...new Set(days)].sort()
}

type Spans = { spans: [number, number][]; isGuess: boolean }

/** The spans of `off`, of `24/7`, or of pairs of times. */
function spansOf(tokens: readonly Token[], isSure: boolean): Spans | Problem {
  if (tokens[0]?.is === 'always') return { spans: [[0, DAY]], isGuess: false }
  const times = tokens.filter((token) => token.is === 'time')
  const spans: [number, number][] = []
  let isGuess = false
  for (let at = 0; at < times.length; at += 2) {
    const [open, close] = times.slice(at, at + 2)
    if (!open || !close) break
    const span = spanOf(open, close, isSure)
    if ('problem' in span) return span
    isGuess ||= span.isGuess
    spans.push(span.span)
  }
  return { spans, isGuess }
}

const DAY = 24 * 60
const NOON = 12 * 60
/** A longer night is more likely a closing time in the afternoon. */
const LONG_NIGHT = 17 * 60

const isOn24Hours = ({ clock, meridiem }: Time) => clock === 'sure' && meridiem === undefined

type Span = { span: [number, number]; isGuess: boolean }

/** `isSure`: another time shows that the text uses the 24-hour clock. */
function spanOf(open: Time, close: Time, isSure: boolean): Span | Problem {
  const from = open.meridiem || !close.meridiem ? open.of : beforeNoon(open, close)
  if (from >= DAY) return { problem: 'has an opening time after 24:00; count it to the next day' }
  const wraps = close.of <= from
  if (isHalfSaid(open, close, wraps)) return { problem: NO_MERIDIEM }
  const isLoose = [open, close].some((one) => one.clock === 'loose' && !one.meridiem)
  // People write 23:59 for midnight.
  const until = close.of % DAY === DAY - 1 ? close.of + 1 : close.of
  const end = wraps ? until + DAY : until
  const isLong = wraps && end - from >= LONG_NIGHT && until > 0 && end - from < DAY
  if (isLong && from > NOON) return { problem: ALMOST_A_DAY }
  return { span: [from, end], isGuess: (isLoose && !isSure) || isLong }
}

/** Whether the hours are, or may be, on the 12-hour clock and lack a.m. or p.m. */
function isHalfSaid(open: Time, close: Time, wraps: boolean): boolean {
  if (isOn24Hours(close)) return false
  if (open.meridiem || close.meridiem) return close.meridiem === undefined
  return !isOn24Hours(open) && (wraps || open.clock === 'bare' || close.clock === 'bare')
}

/** 5-11pm begins at 5 p.m., 11-2pm at 11 a.m. */
function beforeNoon(open: Time, close: Time): number {
  if (isOn24Hours(open)) return open.of
  const start = open.of % NOON
  const isSameHalf = start < close.of % NOON
  return start + ((close.meridiem === 'pm') === isSameHalf ? NOON : 0)
}
