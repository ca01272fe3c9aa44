import { Temporal } from 'temporal-polyfill'
import type { DayMeaning, Span } from './meaning.ts'

/** Parts of the day, in minutes after its midnight; the night runs on until five. */
export const MORNING = { from: 4 * 60, to: 12 * 60 }
export const AFTERNOON = { from: 12 * 60, to: 18 * 60 }
export const EVENING = { from: 17 * 60, to: 29 * 60 }

export const plain = (day: string) => Temporal.PlainDate.from(day)

export const plus = (day: string, days: number): string => plain(day).add({ days }).toString()

/** Monday is 1. */
export const weekdayOf = (day: string): number => plain(day).dayOfWeek

/** The first such weekday after a day. */
export const nextWeekday = (today: string, weekday: number): string =>
  plus(today, (weekday - weekdayOf(today) + 7) % 7 || 7)

export const one = (day: string): DayMeaning => ({ days: [span(day)] })

export const span = (from: string, to = from): Span => ({ from, to })

/** A weekday by its name: on that day itself, it can mean today or a week later. */
export function namedWeekday(today: string, weekday: number): DayMeaning {
  const coming = nextWeekday(today, weekday)
  return { days: [span(coming), ...(weekdayOf(today) === weekday ? [span(today)] : [])] }
}

/** "Next Friday" is the coming one or the one after it. */
export function nextNamed(today: string, weekday: number): DayMeaning {
  const coming = nextWeekday(today, weekday)
  return { days: [span(coming), span(plus(coming, 7))] }
}

/** The first date with this day and month that is not over; none if no year has it. */
export function nextDate(today: string, day: number, month: number): string | undefined {
  const year = plain(today).year
  return [year, year + 1]
    .map((in_) => dateOf(in_, month, day))
    .find((date) => date && date >= today)
}

/** This date, or undefined if there is none. */
export function dateOf(year: number, month: number, day: number): string | undefined {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }).toString()
  } catch {
    return undefined
  }
}

/** The next day with this number, in this month or a later one. */
export function nextNumbered(today: string, day: number): string {
  const { year, month } = plain(today)
  for (let ahead = 0; ahead < 12; ahead += 1) {
    const first = Temporal.PlainDate.from({ year, month, day: 1 }).add({ months: ahead })
    const date = dateOf(first.year, first.month, day)
    if (date && date >= today) return date
  }
  throw new Error(`no month has a day ${day}`)
}

export function monthAfter(today: string): Span {
  const first = plain(today).with({ day: 1 }).add({ months: 1 })
  return span(first.toString(), first.with({ day: first.daysInMonth }).toString())
}

export function endOfMonth(today: string): Span {
  const { daysInMonth } = plain(today)
  const last = plain(today).with({ day: daysInMonth }).toString()
  const from = plus(last, -6)
  return span(from > today ? from : today, last)
}

/** From Monday to Sunday of the week after that of a day. */
export const weekAfter = (today: string): Span => {
  const monday = nextWeekday(today, 1)
  return span(monday, plus(monday, 6))
}

/** The weekend of the week of a day, as far as it is not over. */
export const weekendOf = (today: string): Span => {
  const sunday = plus(today, 7 - weekdayOf(today))
  const saturday = plus(sunday, -1)
  return span(saturday > today ? saturday : today, sunday)
}
