import { listsOf } from './read-table.ts'

type List =
  | 'number'
  | 'together'
  | 'weekday'
  | 'short weekday'
  | 'month'
  | 'feast'
  | 'short form'
  | 'long'

const readList = listsOf<List>('calendar.tsv')

/** Numbers written as words, in English and Indonesian. */
export const numberWords = readList('number', Number)

/** Indonesian words for a number of people together: "berdua" means two of us. */
export const together = readList('together', Number)

/** ISO weekdays by name; short English names count only after a word such as "on". */
export const weekdays = readList('weekday', Number)
export const shortWeekdays = readList('short weekday', Number)

/** Months by full and short name. */
export const months = readList('month', Number)

/** Month and day of named days. */
export const feasts = readList('feast', (date) => {
  const [month = 0, day = 0] = date.split('-').map(Number)
  return [month, day] as const
})

/** Words about time that are long enough to be corrected. */
export const calendarWords: readonly string[] = [
  ...Object.keys(readList('long', String)),
  ...Object.keys(weekdays),
  ...Object.keys(months).filter((name) => name.length > 3),
  ...Object.keys(together),
]

/** Abbreviations that people type in a hurry, and what they stand for. */
export const shortForms = readList('short form', String)
