import { plain, plus } from './calendar.ts'
import type { DayMeaning } from './meaning.ts'
import type { Random } from './random.ts'

/** Renders one form of a day, and says what it means on `today`. */
export type MakeDay = (random: Random, today: string) => [text: string, meaning: DayMeaning]

const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const SHORT = 'mon tue,tues wed thu,thur,thurs fri sat sun'.split(' ').map((one) => one.split(','))
const MONTHS =
  'January February March April May June July August September October November December'.split(' ')
const NUMBERS = 'zero one two three four five six seven eight nine ten'.split(' ')

export const ordinal = (day: number): string => {
  const tens = day % 100
  const end = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th')
  return `${day}${end}`
}

/** A number as figures or as a word. */
export const counted = (random: Random, value: number): string =>
  random.chance(0.5) ? String(value) : (NUMBERS[value] ?? String(value))

export const anyWeekday = (random: Random): number => random.int(1, 7)

/** Monday is 1. */
export const longName = (weekday: number): string => WEEKDAYS[weekday - 1] ?? ''

export const anyName = (random: Random, weekday: number): string =>
  random.chance(0.6) ? longName(weekday) : random.pick(SHORT[weekday - 1] ?? [])

export function monthName(random: Random, month: number): string {
  const name = MONTHS[month - 1] ?? ''
  return random.pick([name, name, name.slice(0, 3), `${name.slice(0, 3)}.`])
}

/** A date in the next two months, in its parts. */
export function someDate(random: Random, today: string) {
  const date = plain(plus(today, random.int(1, 60)))
  return { day: date.day, month: date.month, year: date.year, date: date.toString() }
}
