import { numberWords } from './calendar-lexicon.ts'
import type { Pattern } from './patterns.ts'

/** A part of the day, beginning at `startOf`. */
export type DayPart =
  | 'before breakfast'
  | 'early morning'
  | 'morning'
  | 'after breakfast'
  | 'late morning'
  | 'before lunch'
  | 'midday'
  | 'after lunch'
  | 'afternoon'
  | 'sunset'
  | 'before dinner'
  | 'after work'
  | 'evening'
  | 'tonight'
  | 'after dinner'

/** A time as stated; `half` is null if it could be am or pm, and 24:00 ends the day. */
export type ClockTime = { hour: number; minute: number; half: 'am' | 'pm' | 'exact' | null }

type Span = readonly [start: string, end: string]

const spanOfPart: Record<DayPart, Span> = {
  'before breakfast': ['06:00', '08:00'],
  'early morning': ['06:00', '08:30'],
  morning: ['07:00', '11:30'],
  'after breakfast': ['09:30', '11:30'],
  'late morning': ['10:00', '12:30'],
  'before lunch': ['10:00', '12:00'],
  midday: ['12:00', '14:30'],
  'after lunch': ['13:30', '17:00'],
  afternoon: ['14:00', '17:30'],
  sunset: ['17:00', '19:00'],
  'before dinner': ['16:00', '18:30'],
  'after work': ['17:30', '20:00'],
  evening: ['18:00', '23:00'],
  tonight: ['18:00', '24:00'],
  'after dinner': ['20:30', '24:00'],
}
/** Whether hours from 1 to 12 are before noon, in this part of the day. */
export const isBeforeNoon = (part: DayPart, hour: number): boolean =>
  startOf(part) < '12:00' || (part === 'midday' && hour >= 10)
/** When a part of the day begins for somebody who books then, as `HH:MM`. */
export const startOf = (part: DayPart): string => spanOfPart[part][0]
/** When it is too late to book for a part of the day, as `HH:MM`. */
export const endOf = (part: DayPart): string => spanOfPart[part][1]

const number = `(\\d{1,2}|${Object.keys(numberWords).join('|')})`
const before = '(?:(?:at|by|around|about|from|after|before|jam|pukul|pkl|sekitar)\\s+|@\\s*)'
const people =
  'people|persons?|pax|guests?|adults?|of us|orang|seats?|places?|hours?|hrs?|minutes?|mins?|days?'
const notPeople = `(?!\\s*(?:${people}|[/:.\\d]|st\\b|nd\\b|rd\\b|th\\b))`
const half =
  '(a\\.?m\\b\\.?|p\\.?m\\b\\.?|pagi|siang|sore|malam|(?:in the |this ' +
  ')?(?:morning|afternoon|evening)|at night)'

/** "half past seven", "setengah 8", "7:30pm", "at 7". A pattern precedes patterns it contains. */
export const clockPattern: readonly Pattern<ClockTime>[] = [
  [
    new RegExp(`${before}?\\bhalf past ${number}\\b(?:\\s*${half})?`),
    ([, h, word]) => read(h, '30', word),
  ],
  [
    new RegExp(`${before}?\\bquarter past ${number}\\b(?:\\s*${half})?`),
    ([, h, word]) => read(h, '15', word),
  ],
  [
    new RegExp(`${before}?\\bquarter to ${number}\\b(?:\\s*${half})?`),
    ([, h, word]) => earlier(h, '45', word),
  ],
  [
    new RegExp(`${before}?\\bsetengah ${number}\\b(?:\\s*${half})?`),
    ([, h, word]) => earlier(h, '30', word),
  ],
  [
    new RegExp(`${before}?\\b(\\d{1,2})(?:\\s*[:.h]\\s*(\\d\\d))?\\s*${half}`),
    ([, h, m, word]) => read(h, m, word),
  ],
  [new RegExp(`${before}?\\b(\\d{1,2}):(\\d\\d)\\b`), ([, h, m]) => read(h, m)],
  [new RegExp(`${before}(\\d{1,2})[.h](\\d\\d)\\b`), ([, h, m]) => read(h, m)],
  // Indonesians write 19.00; other decimals are not times.
  [
    /(?<![\d.,$€£]|rp ?)\b([01]?\d|2[0-3])\.([0-5][05])\b(?![.,]?\d|\s*%)/,
    ([, h, m]) => read(h, m),
  ],
  [
    new RegExp(`${before}?\\b(?:noon|midday|tengah hari)\\b`),
    () => ({ hour: 12, minute: 0, half: 'exact' }),
  ],
  [
    new RegExp(`${before}?\\b(?:midnight|tengah malam)\\b`),
    () => ({ hour: 24, minute: 0, half: 'exact' }),
  ],
  [
    new RegExp(`${before}?\\b${number}\\s*(?:o['’]?\\s?clock|ish)\\b(?:\\s*${half})?`),
    ([, h, word]) => read(h, undefined, word),
  ],
  [
    new RegExp(`${before}${number}\\b(?:\\s*${half})?${notPeople}`),
    ([, h, word]) => read(h, undefined, word),
  ],
]

const numberOf = (text: string | undefined): number => numberWords[text ?? ''] ?? Number(text)

function read(hours?: string, minutes = '0', word?: string): ClockTime | undefined {
  const [hour, minute] = [numberOf(hours), Number(minutes)]
  if (!(hour <= 24 && minute < 60) || (hour === 24 && minute > 0)) return undefined
  if (hour === 0 || hour > 12) return { hour, minute, half: 'exact' }
  return inHalf({ hour, minute, half: null }, word?.replaceAll('.', ''))
}

function inHalf(clock: ClockTime, word: string | undefined): ClockTime {
  const { hour, minute } = clock
  if (word === undefined) return clock
  if (/^(am|pagi|.*morning)$/.test(word)) return { hour: hour % 12, minute, half: 'exact' }
  if (/^(malam|at night)$/.test(word) && hour === 12) return { hour: 24, minute, half: 'exact' }
  if (word === 'siang' && hour >= 10) return { hour, minute, half: 'exact' }
  return { hour: (hour % 12) + 12, minute, half: 'exact' }
}

const earlier = (
  hours: string | undefined,
  minutes: string,
  word?: string,
): ClockTime | undefined => {
  const hour = numberOf(hours) - 1
  return read(String(hour === 0 ? 12 : hour), minutes, word)
}
