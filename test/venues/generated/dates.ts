import {
  dateOf,
  nextDate,
  nextNumbered,
  nextWeekday,
  one,
  plus,
  span,
  weekdayOf,
} from './calendar.ts'
import { anyName, longName, type MakeDay, monthName, ordinal, someDate } from './english.ts'

const two = (number: number) => String(number).padStart(2, '0')

/** Days by their date. */
export const dates: Record<string, MakeDay> = {
  'ISO date': (random, today) => {
    const { date } = someDate(random, today)
    return [random.pick([date, `on ${date}`, date.replaceAll('-', '/')]), one(date)]
  },
  'day and month': (random, today) => {
    const { day, month, date } = someDate(random, today)
    const name = monthName(random, month)
    return [
      random.pick([
        `${day} ${name}`,
        `${name} ${day}`,
        `${name} ${ordinal(day)}`,
        `the ${ordinal(day)} of ${name}`,
        `on ${ordinal(day)} ${name}`,
        `${day}-${name.slice(0, 3)}`,
      ]),
      one(date),
    ]
  },
  'day, month and year': (random, today) => {
    const { day, month, year, date } = someDate(random, today)
    const name = monthName(random, month)
    const text = random.pick([
      `${day} ${name} ${year}`,
      `${name} ${day}, ${year}`,
      `${ordinal(day)} of ${name} ${year}`,
    ])
    return [text, one(date)]
  },
  'numeric date': (random, today) => {
    const { day, month } = someDate(random, today)
    const days = [nextDate(today, day, month), day <= 12 ? nextDate(today, month, day) : undefined]
    const text = random.pick([`${day}/${month}`, `${two(day)}/${two(month)}`])
    return [text, { days: days.filter((date) => date !== undefined).map((date) => span(date)) }]
  },
  'numeric date with year': (random, today) => {
    const { day, month, year } = someDate(random, today)
    const days = [dateOf(year, month, day), day <= 12 ? dateOf(year, day, month) : undefined]
    const mark = random.pick(['/', '-', '.'])
    return [
      [two(day), two(month), year].join(mark),
      { days: days.filter((date) => date !== undefined).map((date) => span(date)) },
    ]
  },
  'day of the month': (random, today) => {
    const day = random.int(1, 28)
    return [
      random.pick([`on the ${ordinal(day)}`, `the ${ordinal(day)}`]),
      one(nextNumbered(today, day)),
    ]
  },
  'weekday and date that agree': (random, today) => {
    const { day, month, date } = someDate(random, today)
    const name = anyName(random, weekdayOf(date))
    return [
      random.pick([
        `${name} ${day} ${monthName(random, month)}`,
        `${name}, ${monthName(random, month)} ${ordinal(day)}`,
        `${name} the ${ordinal(day)} of ${monthName(random, month)}`,
      ]),
      one(date),
    ]
  },
  'weekday and date that disagree': (random, today) => {
    const { day, month, date } = someDate(random, today)
    const wrong = ((weekdayOf(date) + random.int(0, 5)) % 7) + 1
    const near = [-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6].map((days) => plus(date, days))
    const same = near.filter((one) => weekdayOf(one) === wrong)
    const coming = nextWeekday(today, wrong)
    const days = [date, coming, ...same].map((one) => span(one))
    return [`${longName(wrong)} ${day} ${monthName(random, month)}`, { days, mustSay: true }]
  },
}
