import { shortWeekdays, weekdays } from './calendar-lexicon.ts'
import { type ClockTime, clockPattern, type DayPart } from './clock-lexicon.ts'
import { type Day, dayPattern, partApart } from './day-lexicon.ts'
import { readLengths } from './length-lexicon.ts'
import { partyPattern } from './party-lexicon.ts'
import { type Pattern, take } from './patterns.ts'
import { type RequestedPrice, readPrice } from './price-lexicon.ts'

/** The party, day and time in the query's words; the actual date depends on the place. */
export type RequestedVisit = {
  partySize: number | null
  day: Day | null
  clock: ClockTime | null
  part: DayPart | null
  price: RequestedPrice | null
  /** open until late at night */
  late: boolean
  /** how long it may take; empty if any length fits */
  minutes: readonly number[]
}

/** An empty visit. */
export const anyVisit: RequestedVisit = {
  partySize: null,
  day: null,
  clock: null,
  part: null,
  price: null,
  late: false,
  minutes: [],
}

/** Extracts price, hours, party, day and time from a plain text. */
export function readVisit(text: string): RequestedVisit & { rest: string } {
  const { price, rest: priced } = readPrice(
    text.replace(/['’]/g, '').replace(/(?<=^|\s)[-−](?=\d)/g, 'minus '),
  )
  const late = take(priced, latePattern)
  const length = readLengths(late.rest)
  const part = take(length.rest, partPattern)
  const day = take(part.rest, dayPattern)
  const isDate = day.found?.day.is === 'date'
  const undated = isDate ? day.rest.replace(weekdayWord, ' ') : day.rest
  const clock = take(undated, clockPattern)
  const apart = take(clock.rest, day.found ? partApart : [])
  const party = take(apart.rest, partyPattern)
  const isTimed = part.found !== null && clock.found === null
  return {
    partySize: party.found ?? (couples.test(party.rest) ? 2 : null),
    day: day.found?.day ?? (isTimed ? { is: 'coming' } : null),
    clock: clock.found,
    part: part.found ?? day.found?.part ?? apart.found ?? partIn(text),
    price,
    late: late.found ?? false,
    minutes: length.minutes,
    rest: party.rest,
  }
}

const until = '(?:till?|until|til|past|after|sampai|hingga)'
const latePattern: readonly Pattern<boolean>[] = [
  [
    new RegExp(
      '\\b(?:(?:stay(?:ing|s)?|is|are|still|yang|masih) )*(?:open(?:s|ing)?|buka) ' +
        `(?:${until} )?(?:(?:very |really )?late|midnight|larut|tengah malam)\\b` +
        '(?: at night| malam)?',
    ),
    () => true,
  ],
  [new RegExp(`\\b${until} (?:midnight|tengah malam)\\b|\\bbuka ${until} malam\\b`), () => true],
  [/\blate[ -]?night\b|\b(?:sampai )?larut malam\b/, () => true],
]

/** A weekday next to a date is part of it. */
const weekdayWord = new RegExp(
  `\\b(?:on |hari )?(?:${[...Object.keys(weekdays), ...Object.keys(shortWeekdays)].join('|')})\\b`,
)

/** "Couples massage" also names the thing wanted, so it stays in the text. */
const couples = /\bcouples\b|\bcouple (?:massage|spa|treatment)|\bpijat pasangan\b/

const meals = {
  breakfast: 'breakfast|sarapan',
  lunch: 'lunch(?:time)?|brunch|makan siang',
  dinner: 'dinner|supper|makan malam',
} as const
type Anchored = Extract<DayPart, `${string} ${keyof typeof meals}`>

/** A meal that a time is before or after; nobody eats it there. */
const anchored = (part: Anchored): Pattern<DayPart> => {
  const [side, meal] = part.split(' ') as ['before' | 'after', keyof typeof meals]
  const when = side === 'after' ? 'after|setelah|sesudah|habis|sehabis' : 'before|sebelum'
  const words = `(?:straight |right |just )?\\b(?:${when})(?: (?:a|our|my|the|late|early))?`
  return [new RegExp(`${words} (?:${meals[meal]})\\b`), () => part]
}

/** Parts of the day that imply a time even without a day; named meals are also terms. */
const partPattern: readonly Pattern<DayPart>[] = [
  ...(['before breakfast', 'after breakfast', 'before lunch'] as const).map(anchored),
  ...(['after lunch', 'before dinner', 'after dinner'] as const).map(anchored),
  [/\b(?:in the )?early (?:in the )?mornings?\b|\bpagi[ -]pagi\b|\bsubuh\b/, () => 'early morning'],
  [
    /\b(?:straight |right )?after work\b|\b(?:sepulang|pulang|habis|setelah) kerja\b/,
    () => 'after work',
  ],
]

const parts: readonly (readonly [RegExp, DayPart])[] = [
  [/\b(breakfast|sarapan|in the morning|this morning)\b/, 'morning'],
  [/\bbrunch\b/, 'late morning'],
  [/\b(lunch|lunchtime|makan siang)\b/, 'midday'],
  [/\b(afternoon|(high|cream) tea)\b/, 'afternoon'],
  [
    /\b(dinner|supper|makan malam|in the evening|this evening|at night|sundowners?|tonight)\b/,
    'evening',
  ],
  [/\b(at sunset|sunset (?:drinks?|cocktails?))\b/, 'sunset'],
]

/** The part of the day in a text that states no time: "lunch" means midday. */
const partIn = (text: string): DayPart | null =>
  parts.find(([pattern]) => pattern.test(text))?.[1] ?? null
