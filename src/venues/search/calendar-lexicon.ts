import { readTable } from './read-table.ts'

type List =
  | 'number'
  | 'together'
  | 'weekday'
  | 'short weekday'
  | 'month'
  | 'feast'
  | 'short form'
  | 'long'

const entries = readTable('calendar.tsv', ([list = '', words = '', meaning = '']) => ({
  list: list as List,
  words,
  meaning,
}))

function readList<T>(name: List, read: (meaning: string) => T): Readonly<Record<string, T>> {
  const ofList = entries.filter(({ list }) => list === name)
  return Object.fromEntries(ofList.map(({ words, meaning }) => [words, read(meaning)]))
}

/** Numbers that people write out, in English and Indonesian. */
export const numberWords = readList('number', Number)

/** Indonesian for so many together: "berdua" is two of us. */
export const together = readList('together', Number)

/** ISO weekdays by their names; the short English ones need a word like "on" before them. */
export const weekdays = readList('weekday', Number)
export const shortWeekdays = readList('short weekday', Number)

/** Months by their names and short names. */
export const months = readList('month', Number)

/** Days with a name of their own: month and day. */
export const feasts = readList('feast', (date) => {
  const [month = 0, day = 0] = date.split('-').map(Number)
  return [month, day] as const
})

/** Words of time that are long enough to be mistyped. */
export const calendarWords: readonly string[] = [
  ...Object.keys(readList('long', String)),
  ...Object.keys(weekdays),
  ...Object.keys(months).filter((name) => name.length > 3),
  ...Object.keys(together),
]

/** Words as they are typed in a hurry, and what they stand for. */
export const shortForms = readList('short form', String)
