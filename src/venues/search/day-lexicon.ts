import { feasts, months, numberWords, shortWeekdays, weekdays } from './calendar-lexicon.ts'
import type { DayPart } from './clock-lexicon.ts'
import type { Pattern } from './patterns.ts'

/**
 * A day as stated: a number of days ahead (`isFixed`: whatever the time), right now, unstated (the
 * next day with such a time), a weekday or weekend (some weeks on), a date, perhaps without year
 * (`said`: the text, if ambiguous), or the next such day of a month.
 */
export type Day =
  | { is: 'ahead'; days: number; isFixed?: true }
  | { is: 'now' }
  | { is: 'coming' }
  | { is: 'weekday'; weekday: number; weeks: number }
  | { is: 'weekend'; weeks: number }
  | { is: 'date'; month: number; day: number; year: number | null; said?: string }
  | { is: 'of a month'; day: number }

type Said = { day: Day; part?: DayPart }

const oneOf = (words: Readonly<Record<string, unknown>>) => Object.keys(words).join('|')
const part = '(?:\\s+(?:in the\\s+)?(night|evening|afternoon|morning|malam|sore|siang|pagi))?'
const partOf: Readonly<Record<string, DayPart>> = {
  night: 'evening',
  evening: 'evening',
  malam: 'evening',
  tonight: 'tonight',
  afternoon: 'afternoon',
  sore: 'afternoon',
  morning: 'morning',
  pagi: 'morning',
  siang: 'midday',
}

function said(day: Day, word?: string): Said {
  const of = partOf[word ?? '']
  return of ? { day, part: of } : { day }
}
const ahead = (days: number, word?: string) => said({ is: 'ahead', days }, word)
const weekday = (name = '', weeks = 0, word?: string) =>
  said({ is: 'weekday', weekday: weekdays[name] ?? shortWeekdays[name] ?? 1, weeks }, word)

function date(day?: string, month?: string | number, year?: string): Said | undefined {
  const number = typeof month === 'number' ? month : (months[month ?? ''] ?? Number(month))
  const known = { month: number, day: Number(day), year: year === undefined ? null : Number(year) }
  const days = new Date(Date.UTC(known.year ?? 2024, number, 0)).getUTCDate()
  return number >= 1 && number <= 12 && known.day >= 1 && known.day <= days
    ? said({ is: 'date', ...known })
    : undefined
}

/** 12/01 is read as the 12th of January, although Americans mean the 1st of December. */
function numericDate(day = '', month = '', year?: string): Said | undefined {
  const found = date(day, Number(month), year)
  const other = date(month, Number(day), year)
  const isUnclear = found && other && Number(day) !== Number(month)
  if (!isUnclear || found.day.is !== 'date') return found ?? other
  return { day: { ...found.day, said: [day, month, year].filter(Boolean).join('/') } }
}

function ofMonth(day?: string): Said | undefined {
  const number = Number(day)
  return number >= 1 && number <= 31 ? said({ is: 'of a month', day: number }) : undefined
}

const before = '(?:\\b(?:on|for|by|this|coming|hari|tanggal|tgl|pada)\\s+)?(?:the\\s+)?'
const ordinal = '(\\d{1,2})(?:st|nd|rd|th)?'
const nth = '(\\d{1,2})(?:st|nd|rd|th)\\b'
const number = `(\\d{1,2}|${oneOf(numberWords)})`

/** A part of the day that stands apart from the day, as in "minggu depan di Ubud sore". */
export const partApart: readonly Pattern<DayPart>[] = [
  [
    new RegExp(
      '(?<!\\b(?:makan|pasar|klub|kehidupan|selamat) )\\b(?:in the )?' +
        '(evening|afternoon|morning|malam|sore|siang|pagi)(?: hari)?\\b(?! tea)',
    ),
    ([, word = '']) => partOf[word],
  ],
]

/** Patterns, the clearest first; each also consumes the words that belong to the day. */
export const dayPattern: readonly Pattern<Said>[] = [
  [new RegExp(`${before}\\b(20\\d\\d)-(\\d\\d)-(\\d\\d)\\b`), ([, y, m, d]) => date(d, m, y)],
  [
    new RegExp(`${before}\\b${ordinal}(?:\\s+of)?\\s+(${oneOf(months)})\\b(?:,?\\s+(20\\d\\d))?`),
    ([, d, m, y]) => date(d, m, y),
  ],
  [
    new RegExp(
      `${before}\\b(${oneOf(months)})\\s+${ordinal}\\b(?!\\s*(?:people|pax|orang|am|pm|:))` +
        '(?:,?\\s+(20\\d\\d))?',
    ),
    ([, m, d, y]) => date(d, m, y),
  ],
  [
    new RegExp(`${before}\\b(\\d{1,2})/(\\d{1,2})(?:/(20\\d\\d))?\\b`),
    ([, d, m, y]) => numericDate(d, m, y),
  ],
  [
    new RegExp(`${before}\\b(\\d{1,2})\\.(\\d{1,2})\\.(20\\d\\d)\\b`),
    ([, d, m, y]) => date(d, m, y),
  ],
  [
    new RegExp(
      `\\b(?:(?:on|for|by)\\s+(?:the\\s+)?|the )${nth}(?!\\s+(?:floor|birthday|anniversary))`,
    ),
    ([, day]) => ofMonth(day),
  ],
  [/\b(?:tanggal|tgl)\s+(\d{1,2})\b(?![:.]\d)/, ([, day]) => ofMonth(day)],
  [
    new RegExp(`${before}\\b(${oneOf(feasts)})\\b(?! islands?\\b)`),
    ([, name = '']) => {
      const [month, day] = feasts[name] ?? []
      return date(String(day), month)
    },
  ],
  [
    new RegExp(`\\b(?:the )?day after tomorrow\\b${part}|\\b(?:besok )?lusa\\b${part}`),
    ([, en, id]) => ahead(2, en ?? id),
  ],
  [
    new RegExp(`\\b(?:for )?(?:tomorrow|tmrw|tmr|tomoz|besok|esok)\\b${part}`),
    ([, word]) => ahead(1, word),
  ],
  [/\b(?:for )?tonight\b|\b(?:nanti malam|malam ini|malam nanti)\b/, () => ahead(0, 'tonight')],
  [
    new RegExp(
      '\\b(?:this (morning|afternoon|evening)|(?:nanti )?(siang|sore) (?:ini|nanti)|' +
        'nanti (siang|sore)|(pagi) ini)\\b',
    ),
    ([, ...words]) => ahead(0, words.find(Boolean)),
  ],
  [new RegExp(`\\b(?:for )?(?:today|hari ini)\\b${part}`), ([, word]) => ahead(0, word)],
  [new RegExp(`\\b(?:yesterday|kemarin)\\b${part}`), ([, word]) => ahead(-1, word)],
  [/\b(?:last night|tadi malam)\b/, () => ahead(-1, 'night')],
  [
    new RegExp(`\\blast (${oneOf(weekdays)})\\b${part}|\\b(${oneOf(weekdays)}) lalu\\b`),
    ([, en, word, id]) => weekday(en ?? id, -1, word),
  ],
  [/(?<!makan )\bmalam minggu\b|\bmalam minggu\b(?! depan)/, () => weekday('saturday', 0, 'malam')],
  [
    new RegExp(`\\bnext (${oneOf(weekdays)}|${oneOf(shortWeekdays)})\\b${part}`),
    ([, name, word]) => weekday(name, 1, word),
  ],
  [
    new RegExp(`\\b(?:hari )?(${oneOf(weekdays)})\\b(?: depan| minggu depan)${part}`),
    ([, name, word]) => weekday(name, 1, word),
  ],
  [/\b(?:next week|minggu depan)\b/, () => weekday('monday', 1)],
  [
    /\b(next|this|the|coming|at the|on the)? ?weekend\b|\bakhir (?:pekan|minggu)(?: ini)?\b/,
    ([, which]) => said({ is: 'weekend', weeks: which === 'next' ? 1 : 0 }),
  ],
  [
    new RegExp(`${before}\\b(${oneOf(weekdays)})\\b(?: ini)?${part}`),
    ([, name, word]) => weekday(name, 0, word),
  ],
  [
    new RegExp(`\\b(?:on|this|coming|for|hari)\\s+(${oneOf(shortWeekdays)})\\b${part}`),
    ([, name, word]) => weekday(name, 0, word),
  ],
  [
    new RegExp(
      `\\b(${oneOf(shortWeekdays)})\\s+(night|evening|afternoon|morning|malam|sore|siang|pagi)\\b`,
    ),
    ([, name, word]) => weekday(name, 0, word),
  ],
  [
    new RegExp(`\\bin ${number} days?\\b|\\b${number} days? from now\\b|\\b${number} hari lagi\\b`),
    ([, ...words]) => {
      const word = words.find(Boolean) ?? ''
      return ahead(numberWords[word] ?? Number(word))
    },
  ],
  [/\b(?:in a week|a week from now|seminggu lagi)\b/, () => ahead(7)],
  [
    /\b(?:(?:open )?(?:right |just )?now|immediately|asap|(?:buka )?sekarang(?: juga)?)\b/,
    () => said({ is: 'now' }),
  ],
]
