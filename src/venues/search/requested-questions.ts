import { addDays, weekdayOf, weekdays } from '../../base/local-time.ts'
import type { Day } from './day-lexicon.ts'
import { dateOfDay } from './requested-date.ts'
import type { SaidDay } from './requested-days.ts'
import type { Unread } from './unread-time.ts'
import type { RequestedVisit } from './visit.ts'

/** The current date at a place. */
export type Today = { today: string; timezone: string }
type Note = { text: string; isQuestion: boolean }

const fields = { date: '`date` as YYYY-MM-DD', time: '`time` as HH:MM' }

/** What to ask about words of a day or time that are not understood; null if there are none. */
export function askedOfWords(visit: RequestedVisit): string | null {
  const unread = visit.unread.filter(({ isAside }) => !isAside)
  const two = unread.find(({ beside }) => beside !== undefined)
  if (two)
    return `Two times were said, “${two.beside}” and “${two.words}”: send one as ${fields.time}.`
  if (unread.length === 0) return null
  const words = [...new Set(unread.map((one) => `“${one.words}”`))].join(', ')
  return `Not understood as a day or time: ${words}. No times are shown: send ${fieldsOf(unread)}.`
}

/** What to ask about people who were mentioned but not counted. */
export const askedOfParty = ({ party: { uncounted } }: RequestedVisit): string | null =>
  uncounted === null
    ? null
    : `How many people is not clear (“${uncounted}”). No times are shown: send \`party_size\`.`

function fieldsOf(unread: readonly Unread[]): string {
  const about = new Set(unread.map((one) => one.about))
  const isEither = about.has('either') || about.size > 1
  if (isEither) return `${fields.date} and ${fields.time}`
  return about.has('date') ? fields.date : fields.time
}

/** What to ask about a day whose date is not known. */
export const askedOfTime = ({ saidDay }: RequestedVisit): string =>
  `The date of “${saidDay}” is not known here. No times are shown: send ${fields.date}.`

/** What to ask about a time that is not in the part of the day. */
export const askedOfBound = ({ part }: RequestedVisit): string =>
  `The time is before that part of the day (${part}). No times are shown: send ${fields.time}.`

/** The date of a visit, and what other days in the query mean for it. */
export function daySaid(
  visit: RequestedVisit,
  of: Today,
): { date: string | null; note: Note | null } {
  const { day, saidDay, otherDays } = visit
  if (!day) return { date: of.today, note: null }
  const main = { day, said: saidDay }
  const date = dateOfDay(withWeekday(day, otherDays, of), of)
  if (date === null) return { date, note: null }
  const far = otherReading(day, date, { said: saidDay, ...of }, otherDays)
  const notes = otherDays.flatMap((other) => noteOn(main, date, other, of) ?? [])
  return { date, note: far ?? notes.find(({ isQuestion }) => isQuestion) ?? notes[0] ?? null }
}

/** Asks which is meant if a date in digits is far away, but near if the month comes first. */
function otherReading(
  day: Day,
  date: string,
  { said, ...of }: Today & { said: string },
  others: RequestedVisit['otherDays'],
): Note | null {
  if (day.is !== 'date' || day.year !== null || !day.orElse || others.length > 0) return null
  const other = dateOfDay({ ...day, ...day.orElse }, of)
  const soon = addDays(of.today, SOON_DAYS)
  if (date <= soon || other === null || other > soon || other < of.today) return null
  return { text: `“${said}” may be ${other} or ${date}: send one as \`date\`.`, isQuestion: true }
}
/** Hardly any venue takes bookings further ahead. */
const SOON_DAYS = 90

/** The reading of a date in digits that its weekday agrees with. */
function withWeekday(day: Day, others: RequestedVisit['otherDays'], of: Today): Day {
  const weekday = others.find((other) => other.day.is === 'weekday')?.day
  if (day.is !== 'date' || !day.orElse || weekday?.is !== 'weekday') return day
  const { orElse, ...plain } = day
  const fits = (one: Day) => {
    const date = dateOfDay(one, of)
    return date !== null && weekdayOf(date) === weekday.weekday
  }
  const other = { ...plain, ...orElse }
  return fits(other) && !fits(plain) ? other : fits(plain) ? plain : day
}

function noteOn(
  main: SaidDay,
  date: string,
  { join, ...other }: RequestedVisit['otherDays'][number],
  of: Today,
): Note | null {
  if (isSameDay(main.day, date, other.day, of)) return null
  if (join !== null) {
    const both = `Of “${main.said}” and “${other.said}”`
    return { text: `${both}, ${date} is shown: send \`date\` for another.`, isQuestion: false }
  }
  if (main.day.is !== 'weekday' && other.day.is === 'weekday' && other.day.weeks === 0) {
    const { weekday } = other.day
    const [name, said] = [weekdays[weekdayOf(date)], weekdays[weekday]]
    const near = addDays(date, ((weekday - weekdayOf(date) + 10) % 7) - 3)
    const nearest = near < of.today ? addDays(near, 7) : near
    const send = `send \`date\` as ${date}, or as ${nearest} for the ${said}.`
    return { text: `${date} is a ${name}, not a ${said}: ${send}`, isQuestion: true }
  }
  const text = `Two days were said, “${main.said}” and “${other.said}”: send one as ${fields.date}.`
  return { text, isQuestion: true }
}

function isSameDay(main: Day, date: string, other: Day, of: Today): boolean {
  if (other.is === 'now' || other.is === 'coming') return true
  // "Christmas dinner on 24 December" is on the 24th.
  if (other.is === 'feast' && (main.is === 'date' || main.is === 'of a month')) return true
  if (other.is === 'weekday' && other.weeks === 0) return weekdayOf(date) === other.weekday
  return dateOfDay(other, of) === date
}
