import { numberWords } from './calendar-lexicon.ts'
import { notMinus, type Pattern, take } from './patterns.ts'
import { phrase } from './phrase.ts'
import { readTable } from './read-table.ts'

const of = (said = '', unit = 1): number | undefined => {
  const count = /^an?$/.test(said) ? 1 : (numberWords[said] ?? Number(said.replace(',', '.')))
  const minutes = Math.round(count * unit)
  return minutes > 0 && minutes <= MAX_LENGTH ? minutes : undefined
}
/** The longest length in minutes; "24 hours" describes when a gym is open. */
export const MAX_LENGTH = 8 * 60
const HOUR = 60

const minutesOf = (unit = '') => (unit.startsWith('m') ? 1 : HOUR)
/** Below this, the first number of "4 - 90 minutes" counts guests. */
const MIN_OF_RANGE = 15
const RANGE_STEP = 5

function rangeOf(between: string | undefined, gap: string, ...ends: (number | undefined)[]) {
  const [from = 0, to = 0] = ends
  const isSum = gap === 'and' || gap === 'dan'
  if (from < MIN_OF_RANGE || to < MIN_OF_RANGE || (isSum && !between)) return undefined
  if (/or|atau|\//.test(gap)) return [...new Set([from, to])]
  const count = Math.floor((to - from) / RANGE_STEP)
  if (count < 0) return undefined
  const steps = Array.from({ length: count + 1 }, (_, step) => from + step * RANGE_STEP)
  return [...new Set([...steps, to])]
}

const number = `${notMinus}(\\d+(?:[.,]\\d+)?|an?|<numbers>)`
/** "60 or 90 minutes" are two lengths, "60-90 minutes" all from one to the other. */
const rangePattern: readonly Pattern<readonly number[]>[] = [
  [
    phrase(
      `<lead>(between |antara )?${number}(?:[\\s-]*(<hour>|<minute>)\\b)?` +
        `\\s*(-|–|/|\\b(?:to|or|and|dan|sampai|atau)\\b)\\s*${number}[\\s-]*` +
        '((?:hours?|hrs?|h|minutes?|mins?|menit)\\b|jam\\b<notClock>)<otherwise>',
    ),
    ([, between, from, first, gap = '', to, last]) =>
      gap === '/' && minutesOf(last) > 1
        ? undefined
        : rangeOf(between, gap, of(from, minutesOf(first ?? last)), of(to, minutesOf(last))),
  ],
]

/** Any length has one of these: most queries have none. */
const hint = /\dh|\bh\b|hour|hr|jam|min|menit/

/** Extracts how long something may take, in minutes; no length if any fits. */
export function readLengths(text: string): { minutes: readonly number[]; rest: string } {
  if (!hint.test(text)) return { minutes: [], rest: text }
  const range = take(text, rangePattern)
  if (range.found) return { minutes: range.found, rest: range.rest }
  const { found, rest } = take(text, lengthPattern)
  return { minutes: found === null ? [] : [found], rest }
}

/** How long something should take, in minutes: "90-minute", "an hour and a half", "2 jam". */
export const lengthPattern: readonly Pattern<number>[] = readTable(
  'lengths.tsv',
  ([unit = '', plus = '', pattern = '']) => [
    phrase(pattern),
    ({ groups: { n, m = plus } = {} }) => {
      const whole = n === undefined ? 0 : of(n, Number(unit))
      return whole === undefined ? undefined : whole + Number(m)
    },
  ],
)
