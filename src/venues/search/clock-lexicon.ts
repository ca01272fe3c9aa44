import { twoDigits } from '../../base/local-time.ts'
import type { Category } from '../../base/venue-kinds.ts'
import { type DayPart, minuteWords, numberWords, startOf } from './calendar-lexicon.ts'
import type { Groups, Pattern } from './patterns.ts'
import { phrase } from './phrase.ts'
import { readTable } from './read-table.ts'

/** A time as stated; `half` is null if it could be am or pm, and 24:00 ends the day. */
export type ClockTime = { hour: number; minute: number; half: 'am' | 'pm' | 'exact' | null }

/** The wanted times: one, from one on, until one, or both; a choice is one or the other. */
export type ClockSpan = {
  is: (typeof spanKinds)[number]
  from: ClockTime | null
  until: ClockTime | null
}

const rows = readTable('clocks.tsv', ([is = '', minutes = '', pattern = '']) => ({
  is,
  minutes,
  pattern: phrase(pattern),
}))
const spanKinds = ['at', 'after', 'between', 'choice', 'ends', 'before', 'by', 'bare'] as const

/** "Between 7 and 8", "before noon", "7:30pm", "at 7". A pattern precedes patterns it contains. */
export const clockPattern: readonly Pattern<ClockSpan>[] = spansOf((is) => is !== 'bare')
/** Besides, "12-2", which is a time only if a day is known. */
export const clockOnDay: readonly Pattern<ClockSpan>[] = spansOf(() => true)

function spansOf(isMeant: (is: ClockSpan['is']) => boolean): Pattern<ClockSpan>[] {
  return rows.flatMap(({ is, pattern }) => {
    const kind = spanKinds.find((one) => one === is)
    return kind && isMeant(kind) ? [[pattern, ({ groups = {} }) => spanOf(groups, kind)]] : []
  })
}

const idioms = rows
  .filter(({ is }) => !spanKinds.some((one) => one === is))
  .map((row) => ({ ...row, pattern: new RegExp(row.pattern, 'g') }))

/** Whether there may be a time in a text. */
export const hasClock = (text: string): boolean => hint.test(text)
const hint = phrase('<clockHint>')

/** The text with times such as "quarter to eight" in digits. */
export const withDigits = (text: string): string =>
  (hasClock(text) ? idioms : []).reduce(
    (rest, { is, minutes, pattern }) =>
      is === 'past' || is === 'to'
        ? rest.replace(pattern, (...match) => inDigits(is, minutes, match.at(-1)))
        : rest.replace(pattern, is),
    text,
  )

function inDigits(is: 'past' | 'to', minutes: string, { h = '', m = minutes }: Groups): string {
  const hour = (numberWords[h] ?? Number(h)) - (is === 'to' ? 1 : 0)
  const past = minuteWords[m] ?? Number(m)
  const minute = is === 'to' ? 60 - past : past
  return `at ${((hour + 11) % 12) + 1}:${String(minute).padStart(2, '0')}`
}

/** Whether hours from 1 to 12 are before noon, in this part of the day. */
const isBeforeNoon = (part: DayPart, hour: number): boolean =>
  startOf(part) < '12:00' || (part === 'midday' && hour >= 10)

function spanOf(groups: Groups, is: ClockSpan['is']): ClockSpan | undefined {
  const said = readClock(groups.h, groups.m, groups.half)
  if (!said) return undefined
  if (is === 'at')
    return { is: (groups.onwards ?? groups.later) ? 'after' : 'at', from: said, until: null }
  if (is === 'before' || is === 'by' || is === 'ends') return { is, from: null, until: said }
  const until = readClock(groups.h2, groups.m2, groups.half2)
  return until && !isBare(groups) ? { is, from: startBefore(said, until), until } : undefined
}

/** The first time, or else the second. */
export const eitherOf = (from: ClockTime, until: ClockTime): ClockSpan => ({
  is: 'choice',
  from: startBefore(from, until),
  until,
})

/** Whether two spans are one time, which may be said twice, as in "7pm (19.00)". */
export function isSameClock(
  { from: one, ...first }: ClockSpan,
  { from: two, ...second }: ClockSpan,
) {
  if (!one || !two || first.until || second.until) return false
  const isExact = one.half === 'exact' && two.half === 'exact'
  const hours = isExact ? 24 : 12
  return one.hour % hours === two.hour % hours && one.minute === two.minute
}

/** Whether two numbers alone may as well be guests. */
const isBare = ({ bare, m, m2, half, half2 }: Groups): boolean =>
  bare !== undefined && !m && !m2 && !half && !half2

/** In "8-10pm", both are in the evening; in "11-1pm", the first is before noon. */
function startBefore(said: ClockTime, until: ClockTime): ClockTime {
  if (said.half !== null || until.half === null) return said
  const end = until.hour * 60 + until.minute
  const evening = (said.hour % 12) + 12
  const isEvening = end === 0 || evening * 60 + said.minute < end || (said.hour % 12) * 60 >= end
  return { ...said, hour: isEvening ? evening : said.hour % 12, half: 'exact' }
}

/** A time of an hour, minutes and a half of the day such as "pm" or "malam". */
export function readClock(hours = '', minutes = '0', word?: string): ClockTime | undefined {
  const [hour, minute] = [numberWords[hours] ?? Number(hours), Number(minutes)]
  if (!(hour <= 24 && minute < 60) || (hour === 24 && minute > 0)) return undefined
  // A leading zero is written on the 24-hour clock only.
  const isExact = hour === 0 || hour > 12 || (hours.startsWith('0') && word === undefined)
  if (isExact) return { hour, minute, half: 'exact' }
  return inHalf({ hour, minute, half: null }, word?.replaceAll('.', ''))
}

function inHalf(clock: ClockTime, word: string | undefined): ClockTime {
  const { hour, minute } = clock
  if (word === undefined) return clock
  if (/^(am|pagi|dini hari|.*morning)$/.test(word))
    return { hour: hour % 12, minute, half: 'exact' }
  if (/^(malam|at night)$/.test(word) && hour === 12) return { hour: 24, minute, half: 'exact' }
  const isAsSaid =
    (word === 'siang' && hour >= 10) || (/^(malam|at night)$/.test(word) && hour <= 3)
  return { hour: isAsSaid ? hour : (hour % 12) + 12, minute, half: 'exact' }
}

/** Hours that mean the morning unless stated otherwise: nobody dines at seven in the morning. */
const morningHours: Record<Category, readonly [from: number, to: number]> = {
  restaurant: [10, 11],
  bar: [12, 11],
  gym: [5, 11],
  spa: [9, 11],
}

/** A stated time as `HH:MM`, in a part of the day or at a kind of venue; 24:MM after midnight. */
export function timeOf(
  { hour, minute, half }: ClockTime,
  part: DayPart | null,
  category: Category | null,
): string {
  const clock = (hours: number) => `${twoDigits(hours)}:${twoDigits(minute)}`
  if (half === 'exact') return clock(hour)
  if (hour === 12) return clock(twelveIn(part))
  return clock(isMorning(hour, part, category) ? hour : hour + 12)
}

const twelveIn = (part: DayPart | null): number => {
  const start = part ? startOf(part) : '12:00'
  return start >= '18:00' ? 24 : start < '05:00' ? 0 : 12
}

/** Whether an hour from 1 to 11 that could be am or pm is in the morning. */
export function isMorning(hour: number, part: DayPart | null, category: Category | null): boolean {
  if (part) return isBeforeNoon(part, hour)
  const [from, to] = morningHours[category ?? 'restaurant']
  return hour >= from && hour <= to
}
