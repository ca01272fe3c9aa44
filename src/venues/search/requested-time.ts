import { NEAR_MS } from '../../availability/store/next-slots.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import {
  addDays,
  clockOn,
  dateOf,
  toInstantPastGap,
  toLocal,
  twoDigits,
  weekdayOf,
  weekdays,
} from '../../base/local-time.ts'
import type { Category } from '../../base/venue-kinds.ts'
import { startOf } from './calendar-lexicon.ts'
import { isMorning } from './clock-lexicon.ts'
import type { Day } from './day-lexicon.ts'
import { boundOf, endAt, timeWanted, untilOf } from './requested-clock.ts'
import { dayAssumed, daysToNext } from './requested-date.ts'
import {
  askedOfBound,
  askedOfParty,
  askedOfTime,
  askedOfWords,
  daySaid,
  type Today,
} from './requested-questions.ts'
import type { RequestedVisit } from './visit.ts'

/** The requested local time at a place; `from` and `until` are the first and last instant. */
export type RequestedTime = {
  /** YYYY-MM-DD */
  date: string | null
  /** HH:MM */
  time: string | null
  from: Date | null
  until?: Date
  /** whether a time was said, around which others will do, and not when to begin */
  isExact?: true
  /** whether only a time that is over was asked for, so that no other may be shown */
  isOver?: true
  /** what to ask the caller, as the day or time is not clear: until then, none may be shown */
  question?: string
  /** a note on an ambiguous reading */
  assumed: string | null
}

const never: RequestedTime = { date: null, time: null, from: null, assumed: null }

type Place = { category: Category | null; timezone: string; at: Date }

/** Resolves a visit to a date and time in a time zone, for a kind of venue and a caller at `at`. */
export function resolveTime(visit: RequestedVisit, place: Place): RequestedTime {
  const time = timeOfVisit(visit, place)
  const asked = askedOfParty(visit)
  return asked ? { ...time, question: [time.question, asked].filter(Boolean).join(' ') } : time
}

function timeOfVisit(visit: RequestedVisit, place: Place): RequestedTime {
  const { day, clock } = visit
  const now = toLocal(place.timezone, place.at)
  const of = { today: dateOf(now), timezone: place.timezone }
  const asked = askedOfWords(visit)
  const clear = () => whatIsClear(visit, of, { ...place, now })
  if (asked) return { ...clear(), question: asked }
  if (day?.is === 'over') {
    const assumed = `“${visit.saidDay}” is over: no time is shown.`
    return { ...never, isOver: true, assumed }
  }
  if (day?.is === 'delay' || day?.is === 'instant') return atInstant(day, place)
  if (!day && !clock) return never
  const { date: said, note } = daySaid(visit, of)
  if (said === null) return { ...clear(), question: askedOfTime(visit) }
  if (note?.isQuestion) return { ...clear(), question: note.text }
  if (isBeforePart(visit, place)) return { ...never, date: said, question: askedOfBound(visit) }
  const { assumed, ...time } = onDay(visit, said, { ...place, now })
  return { ...time, assumed: [note?.text, assumed].filter(Boolean).join(' ') || null }
}

/** The day and the time that were understood, beside words that were not. */
function whatIsClear(visit: RequestedVisit, of: Today, place: Now): RequestedTime {
  const { date, note } = daySaid(visit, of)
  const isTwo = visit.unread.some(({ beside }) => beside !== undefined)
  const time = visit.clock && !isTwo ? timeWanted(visit, of.today, place) : null
  return {
    ...never,
    date: visit.saidDay !== '' && !note?.isQuestion ? date : null,
    time: time && clockOn(of.today, time).slice(11, 16),
  }
}

type Now = Place & { now: string }

/** Whether a time is to be before the part of the day that was said, as "tonight before 5". */
const isBeforePart = (visit: RequestedVisit, { category }: Place) =>
  visit.clock?.from === null &&
  visit.part !== null &&
  !visit.isPartImplied &&
  boundOf(visit, category) <= startOf(visit.part)

/** The time of a visit on the day that was said. */
function onDay(visit: RequestedVisit, said: string, place: Now): RequestedTime {
  const { day, clock, saidDay } = visit
  const { timezone, at, now } = place
  const isNow = day?.is === 'now' && clock === null
  const time = isNow ? now.slice(11, 16) : timeWanted(visit, said, place)
  const meant = dateMeant(visit, { said, time, now })
  if (meant === null) return overOn(visit, said, time, place)
  const ofDay = day && dayAssumed(day, said, { said: saidDay, now, timezone })
  const from = (local: string) => laterOf(toInstantPastGap(timezone, local), at)
  if (time === null) return { ...never, date: said, from: from(`${said}T00:00:00`), assumed: ofDay }
  const local = clockOn(meant, time)
  const until = untilOf(visit, time, place.category)
  const notes = [
    ofDay,
    dateAssumed(day, dateOf(local), meant === said ? null : said),
    isNow ? null : assumedOf(visit, local.slice(11, 16), place),
    ...notesOf(visit, local, meant, now),
    until?.said,
  ]
  return {
    date: dateOf(local),
    time: (isBegun(visit, local, now) ? now : local).slice(11, 16),
    from: from(local),
    ...(until?.last && { until: toInstantPastGap(timezone, clockOn(meant, until.last)) }),
    ...((clock?.is === 'at' || until?.last === null) && { isExact: true }),
    assumed: notes.filter(Boolean).join(' ') || null,
  }
}

/** Whether part of a time of day has passed, so that the rest is meant. */
const isBegun = ({ day, clock }: RequestedVisit, local: string, now: string): boolean =>
  clock?.is !== 'at' && day?.is !== 'now' && local < now

function notesOf(visit: RequestedVisit, local: string, meant: string, now: string) {
  const [date, time, hour] = [dateOf(local), local.slice(11, 16), now.slice(11, 16)]
  return [
    local < now &&
      visit.day?.is !== 'now' &&
      `Only the rest of it is shown: it is ${hour} there now.`,
    visit.day && date !== meant && `${time} is that of ${date}, in the night after ${meant}.`,
  ]
}

/** The date meant: that said, the next such date if it is over, or null without a next. */
function dateMeant(
  visit: RequestedVisit,
  { said, time, now }: { said: string; time: string | null; now: string },
): string | null {
  const { day, clock } = visit
  const today = dateOf(now)
  const later = said === today ? daysToNext(day, today, clock !== null) : 0
  const isOver = said < today || (time !== null && endAt(visit, said, time, later) < now)
  return isOver && later === 0 ? null : addDays(said, isOver ? later : 0)
}

/** A time that is over; of today, what comes next is shown instead, and said. */
function overOn(
  { day, clock }: RequestedVisit,
  said: string,
  time: string | null,
  { at, now }: Now,
): RequestedTime {
  const what = `${[time, said].filter(Boolean).join(' on ')} is over`
  const isToday = clock?.until === null && day?.is === 'ahead' && day.days === 0 && !day.isFixed
  const assumed = `${what}: ${isToday ? 'the times that come next are' : 'no other time is'} shown.`
  return isToday
    ? { date: said, time: now.slice(11, 16), from: at, assumed }
    : { date: said, time, from: null, isOver: true, assumed }
}

/** A time from now, or one with an offset, at the place. */
function atInstant(
  day: Extract<Day, { is: 'delay' | 'instant' }>,
  { timezone, at }: Place,
): RequestedTime {
  const from = day.is === 'delay' ? new Date(at.getTime() + day.minutes * MINUTE_MS) : day.at
  const local = toLocal(timezone, from)
  const [date, time] = [dateOf(local), local.slice(11, 16)]
  const assumed = `It is ${time} on ${date} then in ${timezone}.`
  const over = `${time} on ${date} is over: no other time is shown.`
  return from.getTime() + NEAR_MS < at.getTime()
    ? { date, time, from: null, isOver: true, assumed: over }
    : { date, time, from: laterOf(from, at), assumed }
}

/** A note on a date that was not said; `over`: the date whose time is over. */
function dateAssumed(day: Day | null, date: string, over: string | null): string | null {
  const why = over ? `, as that time is over on ${over}` : ''
  if (day === null || day.is === 'coming') return `No day was said: ${date} is assumed${why}.`
  return over && `${weekdays[weekdayOf(date)]} ${date} is assumed${why}.`
}

const laterOf = (one: Date, other: Date) => (one < other ? other : one)

function assumedOf(
  { clock, part }: RequestedVisit,
  time: string,
  { category }: Now,
): string | null {
  if (!clock) return part && `No time was said: ${part} is read as from ${time}.`
  if (!clock.from) return null
  const { hour, minute, half } = clock.from
  const text = minute === 0 ? `${hour} o’clock` : `${hour}:${twoDigits(minute)}`
  const isPlain = time === `${hour}:${twoDigits(minute)}` && (minute > 0 || part !== null)
  const morning = `${twoDigits(hour)}:${twoDigits(minute)}`
  const isOver = part === null && time >= '12:00' && hour < 12 && isMorning(hour, part, category)
  const why = isOver ? `, as ${morning} is over` : ''
  return half === null && !isPlain ? `${text} is read as ${time}${why}.` : null
}
