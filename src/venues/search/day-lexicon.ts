import {
  type DayPart,
  dayParts,
  months,
  numberWords,
  ordinals,
  shortWeekdays,
  weekdays,
} from './calendar-lexicon.ts'
import type { Groups, Pattern } from './patterns.ts'
import { phrase } from './phrase.ts'
import { readTable } from './read-table.ts'

/**
 * A day as stated: days or months ahead (`isFixed`: whatever the time), minutes from now, right
 * now, unstated (the next day with such a time), a weekday some weeks after the coming one, after
 * today or in some week, the days of a week, weekend or month, a date, the next such day of a
 * month, a named day, an instant, or days that are over.
 */
export type Day =
  | { is: 'ahead'; days: number; isFixed?: true }
  | { is: 'months'; months: number }
  | { is: 'delay'; minutes: number }
  | { is: 'weekday'; weekday: number; weeks: number; of: 'coming' | 'after' | 'week' }
  | { is: 'week' | 'weekend'; weeks: number }
  | { is: 'month'; month: number | null; ahead: number; from: number; weekday?: number }
  | {
      is: 'date'
      month: number
      day: number
      year: number | null
      orElse?: MonthDay
      isFirst?: true
    }
  | { is: 'of a month'; day: number; ahead: number | null }
  | { is: 'feast'; name: string; year: number | null }
  | { is: 'instant'; at: Date }
  | { is: 'now' | 'coming' | 'over' }

/** The other reading of a date in digits. */
type MonthDay = { month: number; day: number }

/** A day, perhaps with a part of it. */
type Said = { day: Day; part?: DayPart }
type Row = { is: string; times: number; plus: number }

const rows = readTable('days.tsv', ([is = '', times, plus, pattern = '']) => ({
  row: { is, times: Number(times), plus: Number(plus) },
  pattern: phrase(pattern),
}))

/** Days in words, the clearest first; a pattern also takes the words that belong to the day. */
export const dayPattern = patternsOf((is) => is !== 'digits alone')
/** A date such as "4-12", if no other words say a day: beside one, it would be a time. */
export const dateAlone = patternsOf((is) => is === 'digits alone')

function patternsOf(isOf: (is: string) => boolean): Pattern<Said>[] {
  return rows
    .filter(({ row }) => isOf(row.is))
    .map(({ row, pattern }) => [pattern, ({ groups = {} }) => saidBy(row, groups)])
}

function saidBy(row: Row, groups: Groups): Said | undefined {
  const day = dayOf(row, groups)
  const part = dayParts[groups.part ?? '']
  return day && (part ? { day, part } : { day })
}

/** A part of the day that stands apart from the day, as in "minggu depan di Ubud sore". */
export const partApart: readonly Pattern<DayPart>[] = [
  [phrase('<apart>'), ({ groups = {} }) => dayParts[groups.part ?? '']],
]

function dayOf({ is, times, plus }: Row, groups: Groups): Day | undefined {
  const count = times === 0 ? plus : times * countOf(groups.n) + plus
  const weekday = weekdays[groups.weekday ?? ''] ?? shortWeekdays[groups.weekday ?? ''] ?? 7
  switch (is) {
    case 'ahead':
      return { is, days: count }
    case 'months':
      return { is, months: count }
    case 'weekday':
      return { is, weekday, weeks: count, of: 'coming' }
    case 'weekday after':
      return { is: 'weekday', weekday, weeks: count, of: 'after' }
    case 'weekday of week':
      return { is: 'weekday', weekday, weeks: count, of: 'week' }
    case 'night before':
      // In Indonesian, the night of a day is the one before it.
      return { is: 'weekday', weekday: weekday === 1 ? 7 : weekday - 1, weeks: 0, of: 'coming' }
    case 'week':
    case 'weekend':
      return { is, weeks: count }
    case 'month':
      return { ...monthOf(groups, count), from: startIn(groups) }
    case 'month weekday':
      return { ...monthOf(groups, count), from: nthFrom(groups), weekday }
    case 'date':
      return date(groups)
    case 'digits':
      return numericDate(groups)
    case 'digits alone':
      return isSpan(groups) ? undefined : numericDate(groups)
    case 'of a month':
      return ofMonth(groups)
    case 'feast':
      return { is, name: groups.feast ?? '', year: groups.year ? Number(groups.year) : null }
    default:
      return is === 'now' || is === 'over' ? { is } : undefined
  }
}

/** The number that words say; 1 for an article, 2 for a couple. */
function countOf(said = ''): number {
  if (/^(?:an?|se)$/.test(said)) return 1
  return /couple|fortnight/.test(said) ? 2 : (numberWords[said.trim()] ?? Number(said))
}

const monthOf = ({ month = '' }: Groups, ahead: number) =>
  ({ is: 'month', month: months[month] ?? null, ahead }) as const

/** From which day of a month on the "second" or "last" weekday is the next one. */
const nthFrom = ({ word = '' }: Groups): number =>
  word === 'last' ? LAST_WEEK : 7 * (ordinals[word] ?? Number(word)) - 6

/** Where the start, middle or end of a month begins. */
const startIn = ({ when = '' }: Groups): number =>
  /end|late|akhir/.test(when) ? LAST_WEEK : /mid|pertengahan/.test(when) ? 11 : 1
const LAST_WEEK = -7

function date({ day, word = '', month = '', year, last }: Groups): Day | undefined {
  return dated(Number(day ?? ordinals[word]), months[month] ?? Number(month), year, last)
}

function dated(day: number, month: number, year?: string, last?: string): Day | undefined {
  const whole = year === undefined ? null : Number(year.length === 2 ? `20${year}` : year)
  const days = new Date(Date.UTC(whole ?? 2024, month, 0)).getUTCDate()
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= days && (whole ?? 2024) < 2100
  if (!isDay || (last !== undefined && Number(last) <= day)) return undefined
  return { is: 'date', month, day, year: whole, ...(last !== undefined && { isFirst: true }) }
}

/** 12/01 is read as the 12th of January, although Americans, who write no dots, mean December. */
function numericDate({ day, month, year, gap }: Groups): Day | undefined {
  const [one, two] = [Number(day), Number(month)]
  const found = dated(one, two, year)
  const other = gap === '.' ? undefined : dated(two, one, year)
  if (!found || !other || one === two || found.is !== 'date') return found ?? other
  return { ...found, orElse: { month: one, day: two } }
}

/** Whether 12-2 may as well be hours: few stay for five of them. */
const isSpan = ({ day, month }: Groups): boolean =>
  Number(day) <= 12 && (Number(month) - Number(day) + 12) % 12 <= MAX_SPAN_HOURS
const MAX_SPAN_HOURS = 4

function ofMonth({ day, rel }: Groups): Day | undefined {
  const number = Number(day)
  const ahead = rel === undefined ? null : /next|depan/.test(rel) ? 1 : 0
  return number >= 1 && number <= 31 ? { is: 'of a month', day: number, ahead } : undefined
}
