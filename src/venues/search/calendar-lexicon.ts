import { listsOf } from './read-table.ts'

const readList = listsOf('calendar.tsv')
const wordsIn = (list: string) => Object.keys(readList(list, String))

/** Numbers written as words, in English and Indonesian. */
export const numberWords = readList('number', Number)

/** ISO weekdays by full and short name, and patterns for short names that are also other words. */
export const weekdays = readList('weekday', Number)
export const shortWeekdays = readList('short weekday', Number)
export const guardedWeekdays = readList('guarded', String)

/** Months by full and short name. */
export const months = readList('month', Number)

/** Days of a month in words, as in "the fifth of May", and the minutes of "quarter past". */
export const ordinals = readList('ordinal', Number)
export const minuteWords = readList('minute', Number)

/** A named day: dates of some years, or month and day of every year, perhaps of a time zone. */
export type Feast = {
  dates: readonly string[]
  everyYear: readonly { timezone: string | null; month: number; day: number }[]
  /** whether the date may differ by a day, as the new moon has to be seen */
  bySighting: boolean
}

export const feasts = readList('feast', (meaning): Feast => {
  const all = meaning.split(' ')
  return {
    dates: all.filter((one) => /^\d{4}-/.test(one)),
    everyYear: all.flatMap((one) => {
      const [, timezone = null, month, day] = /^(?:(\D+):)?(\d\d?)-(\d\d?)$/.exec(one) ?? []
      return month && day ? [{ timezone, month: Number(month), day: Number(day) }] : []
    }),
    bySighting: all.includes('moon'),
  }
})

/** A part of the day, beginning at `startOf`. */
export type DayPart = string

/** Parts of the day by the words for them, and patterns that say or imply one. */
export const dayParts = readList('part', String)
export const saidParts = Object.entries(readList('part said', String))
export const impliedParts = Object.entries(readList('part implied', String))

/** Patterns for being open late, and until when, in minutes after midnight, if they do not say. */
export const lateHours = Object.entries(readList('late', Number))

const spans = readList('span', (span) => span.split(' '))
/** When a part of the day begins for somebody who books then, as `HH:MM`. */
export const startOf = (part: DayPart): string => spans[part]?.[0] ?? '00:00'
/** When it is too late to book for a part of the day, as `HH:MM`. */
export const endOf = (part: DayPart): string => spans[part]?.[1] ?? '24:00'

/** Patterns of words about time by what they are about. */
export const timeWords = {
  date: wordsIn('left date'),
  time: wordsIn('left time'),
  dateDigits: wordsIn('digits date'),
  timeDigits: wordsIn('digits time'),
  nextToDay: wordsIn('next to day'),
  /** these matter only without a clear day or time */
  vagueDate: wordsIn('vague date'),
  vagueTime: wordsIn('vague time'),
  /** phrases that contain such words without being about the time of a visit */
  none: wordsIn('not time'),
  /** words before a day that is not itself meant */
  apart: wordsIn('apart'),
}

/** Words about time that are long enough to be corrected. */
export const calendarWords: readonly string[] = [
  ...wordsIn('long'),
  ...Object.keys(weekdays),
  ...Object.keys(months).filter((name) => name.length > 3),
]

/** Abbreviations that people type in a hurry, and what they stand for. */
export const shortForms = readList('short form', String)
