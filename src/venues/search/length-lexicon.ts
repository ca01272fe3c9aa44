import { numberWords } from './calendar-lexicon.ts'
import type { Pattern } from './patterns.ts'

const number = `(\\d+(?:[.,]\\d+)?|an?|${Object.keys(numberWords).join('|')})`
const hour = '(?:hours?|hrs?|h|jam)'
const minute = '(?:minutes?|mins?|menit)'
/** After these words, a time is a distance or a delay rather than a length. */
const otherwise =
  '(?!\\s*(?:walk|drive|ride|away|from|ago|before|after|late|notice|later|lagi|dari|by|on foot))'
const notDelay = '(?<!\\b(?:in|within|dalam|every|least|last|next|about an?|open)\\s+)'
const notOther = '(?<!\\d\\s*(?:-|–|/|to|or|sampai|atau)\\s*)(?<!\\b(?:not|no|bukan)\\s+)'
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

/** How long something should take, in minutes: "90-minute", "an hour and a half", "2 jam". */
export const lengthPattern: readonly Pattern<number>[] = [
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
