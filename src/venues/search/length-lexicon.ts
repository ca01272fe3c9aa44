import { numberWords } from './calendar-lexicon.ts'
import { notMinus, type Pattern, take } from './patterns.ts'

const number = `${notMinus}(\\d+(?:[.,]\\d+)?|an?|${Object.keys(numberWords).join('|')})`
const hour = '(?:hours?|hrs?|h|jam)'
const minute = '(?:minutes?|mins?|menit)'
/** After these words, a time is a distance or a delay rather than a length. */
const otherwise =
  '(?!\\s*(?:walk|drive|ride|away|from|ago|before|after|late|notice|later|lagi|dari|by|on foot))'
const notDelay = '(?<!\\b(?:in|within|dalam|every|least|last|next|about an?|open)\\s+)'
const notOther =
  '(?<!\\d\\s*(?:-|–|/|to|or|sampai|atau)\\s*)(?<!\\b(?:not|no|bukan)\\s+(?:for\\s+)?)'
const lead = `${notDelay}${notOther}\\b(?:(?:for|selama)\\s+)?`

const notClock = '(?!\\s*\\d{1,2}\\b(?!\\s*(?:orang|org|pax|people)))'

const of = (said = '', unit = 1): number | undefined => {
  const count = /^an?$/.test(said) ? 1 : (numberWords[said] ?? Number(said.replace(',', '.')))
  const minutes = Math.round(count * unit)
  return minutes > 0 && minutes <= MAX_LENGTH ? minutes : undefined
}
/** The longest length in minutes; "24 hours" describes when a gym is open. */
export const MAX_LENGTH = 8 * 60
const HOUR = 60

const plus = (hours: string | undefined, minutes: number): number | undefined => {
  const whole = of(hours, HOUR)
  return whole && whole + minutes
}

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

/** "60 or 90 minutes" are two lengths, "60-90 minutes" all from one to the other. */
const rangePattern: readonly Pattern<readonly number[]>[] = [
  [
    new RegExp(
      `${lead}(between |antara )?${number}(?:[\\s-]*(${hour}|${minute})\\b)?` +
        `\\s*(-|–|/|\\b(?:to|or|and|dan|sampai|atau)\\b)\\s*${number}[\\s-]*` +
        `((?:hours?|hrs?|h|minutes?|mins?|menit)\\b|jam\\b${notClock})${otherwise}`,
    ),
    ([, between, from, first, gap = '', to, last]) =>
      gap === '/' && minutesOf(last) > 1
        ? undefined
        : rangeOf(between, gap, of(from, minutesOf(first ?? last)), of(to, minutesOf(last))),
  ],
]

/** Extracts how long something may take, in minutes; no length if any fits. */
export function readLengths(text: string): { minutes: readonly number[]; rest: string } {
  const range = take(text, rangePattern)
  if (range.found) return { minutes: range.found, rest: range.rest }
  const { found, rest } = take(text, lengthPattern)
  return { minutes: found === null ? [] : [found], rest }
}

/** How long something should take, in minutes: "90-minute", "an hour and a half", "2 jam". */
const lengthPattern: readonly Pattern<number>[] = [
  [
    new RegExp(`${lead}${number}[\\s-]*${hour}(?: and)? a half\\b${otherwise}`),
    ([, hours]) => plus(hours, HOUR / 2),
  ],
  [
    new RegExp(`${lead}${number} and a half[\\s-]*${hour}\\b${otherwise}`),
    ([, hours]) => plus(hours, HOUR / 2),
  ],
  [
    new RegExp(
      `${lead}(\\d{1,2})\\s*${hour}(?:\\s*(?:and|dan))?\\s*(\\d{1,2})\\s*${minute}\\b${otherwise}`,
    ),
    ([, hours, minutes]) => plus(hours, Number(minutes)),
  ],
  [
    new RegExp(`${lead}(\\d{1,2})h(\\d{2})\\b`),
    ([, hours, minutes]) => plus(hours, Number(minutes)),
  ],
  [
    new RegExp(`${lead}${number} setengah jam\\b${otherwise}`),
    ([, hours]) => plus(hours, HOUR / 2),
  ],
  [
    new RegExp(`${lead}(?:three quarters of an hour|tiga perempat jam)\\b${otherwise}`),
    () => (3 * HOUR) / 4,
  ],
  [
    new RegExp(`${lead}(?:half an hour|(?:a )?half[\\s-]hour|setengah jam)\\b${otherwise}`),
    () => HOUR / 2,
  ],
  [
    new RegExp(`${lead}sejam( setengah)?\\b${otherwise}`),
    ([, half]) => (half ? HOUR + HOUR / 2 : HOUR),
  ],
  [new RegExp(`${lead}${number}[\\s-]*${minute}\\b${otherwise}`), ([, minutes]) => of(minutes)],
  [
    // "untuk 2 jam 7" means two guests at seven, whereas "2 jam, 4 orang" states a length.
    new RegExp(`${lead}${number}[\\s-]*(?:(?:hours?|hrs?|h)\\b|jam\\b${notClock})${otherwise}`),
    ([, hours]) => of(hours, HOUR),
  ],
]
