import { DAY_MS, MINUTE_MS } from '../../base/durations.ts'
import {
  addDays,
  clockOn,
  dateOf,
  minutesBetween,
  timesFrom,
  toInstant,
  toInstantPastGap,
  toLocal,
  weekdayOf,
} from '../../base/local-time.ts'
import type { ClassSession, DayException, OpeningWindow, Rules } from './rules.ts'
import { classesOn, hoursOn } from './sessions.ts'

/**
 * An opening session in local times, which may end on the next date. `staysUntil` is later than
 * `closesAt` if the next date's session begins at midnight, so that nobody has to leave.
 */
type Session = { date: string; opens: string; closes: string; closesAt: Date; staysUntil: Date }

export type OpeningHours = { rules: Rules; exceptions: readonly DayException[]; timezone: string }

/** The data that determine sessions; from the rules, only the weekly windows. */
type WeeklyHours = Omit<OpeningHours, 'rules'> & {
  rules: { windows: readonly OpeningWindow[] }
}

/** The exception that applies to a date; the list begins with the most specific ones. */
export const exceptionOn = (hours: WeeklyHours, date: string): DayException | undefined =>
  hours.exceptions.find((exception) => exception.date === date)

/** The sessions that begin on a local date. */
export function sessionsOn(hours: WeeklyHours, date: string): Session[] {
  const closing = (on: string, clock: string) =>
    toInstantPastGap(hours.timezone, clockOn(on, clock))
  return windowsOn(hours, date).map(({ open, close }) => {
    const closesAt = closing(date, close)
    const next = addDays(date, 1)
    const goesOn = close === MIDNIGHT && windowsOn(hours, next).find((one) => one.open === '00:00')
    const staysUntil = goesOn ? closing(next, goesOn.close) : closesAt
    return { date, opens: clockOn(date, open), closes: clockOn(date, close), closesAt, staysUntil }
  })
}

const MIDNIGHT = '24:00'

function windowsOn(hours: WeeklyHours, date: string): DayException['windows'] {
  const day = weekdayOf(date)
  const usual = () => hours.rules.windows.filter((window) => window.day === day)
  return hoursOn(hours.exceptions, date, usual)
}

/** A time at which a booking can begin; `occupiedUntil` includes the buffer. */
export type OfferedSlot = {
  /** local to the venue, `YYYY-MM-DDTHH:MM:SS` */
  slotTime: string
  startsAt: Date
  endsAt: Date
  occupiedUntil: Date
  cancelUntil: Date
  /** if it is one of the service's sessions */
  session?: ClassSession
}

/** Includes the party size, which determines the length of stay. */
export type SlotQuery = OpeningHours & { partySize: number }

/** The length of a party's stay in minutes; undefined if the rules have none for its size. */
export const durationFor = (rules: Rules, partySize: number): number | undefined =>
  rules.durations.find(({ party_max }) => partySize <= party_max)?.minutes

/** Inclusive instants, in milliseconds. */
type Within = { from: number; until: number }
const ALWAYS: Within = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }

/** The slots of a date's sessions that begin `within`, in order. */
export function slotsOn(query: SlotQuery & { date: string }, within = ALWAYS): OfferedSlot[] {
  const minutes = durationFor(query.rules, query.partySize)
  if (minutes === undefined) return []
  if (query.rules.sessions) return sessionSlots(query, within)
  const [only = [], ...others] = sessionsOn(query, query.date).map((session) =>
    slotsIn(query, session, minutes, within),
  )
  if (others.length === 0) return only
  // Windows may overlap; if they share a time, the last window's slot wins.
  const byTime = new Map([only, ...others].flat().map((slot) => [slot.slotTime, slot]))
  return [...byTime.values()].sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
}

function sessionSlots(
  { rules, timezone, ...query }: OpeningHours & { date: string },
  { from, until }: Within,
): OfferedSlot[] {
  const held = classesOn({ rules, ...query }, query.date).filter((one) => !one.cancelled)
  const slots = held.flatMap((session) => {
    const local = clockOn(query.date, session.start)
    const at = toInstant(timezone, local)?.getTime()
    if (at === undefined || at < from || until < at) return []
    return [{ ...slotOf(rules, local, at, session.minutes), session }]
  })
  return slots.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
}

function slotsIn(
  { rules, timezone }: OpeningHours,
  { staysUntil, ...session }: Session,
  minutes: number,
  { from, until }: Within,
): OfferedSlot[] {
  const slots: OfferedSlot[] = []
  const last = Math.min(until, staysUntil.getTime() - minutes * MINUTE_MS)
  if (last < from) return slots
  const grid = { ...session, minutes: rules.grid_minutes }
  for (const { local, at } of timesFrom(timezone, grid, from)) {
    if (at > last) break
    slots.push(slotOf(rules, local, at, minutes))
  }
  return slots
}

const slotOf = (
  { buffer_minutes, cancel_cutoff_minutes }: Rules,
  slotTime: string,
  at: number,
  minutes: number,
): OfferedSlot => {
  const after = (count: number) => new Date(at + count * MINUTE_MS)
  return {
    slotTime,
    startsAt: after(0),
    endsAt: after(minutes),
    occupiedUntil: after(minutes + buffer_minutes),
    cancelUntil: after(-cancel_cutoff_minutes),
  }
}

/** The slots on a local date, including those of a session that began the day before. */
export function timesOn(query: SlotQuery & { date: string }): OfferedSlot[] {
  const { date } = query
  const sessions = [addDays(date, -1), date].flatMap((day) => slotsOn({ ...query, date: day }))
  const onDate = sessions.filter(({ slotTime }) => dateOf(slotTime) === date)
  // If two sessions share a time, a booking belongs to the session that began on the date itself.
  return [...new Map(onDate.map((slot) => [slot.slotTime, slot])).values()]
}

/** The date on which the session of a local time began: for an hour after midnight, the evening. */
export function nightOf(hours: OpeningHours, slotTime: string): string {
  const date = dateOf(slotTime)
  const before = addDays(date, -1)
  const isOpen = (day: string) =>
    sessionsOn(hours, day).some(({ opens, closes }) => opens <= slotTime && slotTime < closes)
  return !isOpen(date) && isOpen(before) ? before : date
}

/** The slot at a local time, in a session on that date or the day before. */
export function slotAt(query: SlotQuery, slotTime: string): OfferedSlot | undefined {
  const { rules, partySize } = query
  const minutes = durationFor(rules, partySize)
  if (minutes === undefined) return undefined
  const date = dateOf(slotTime)
  if (rules.sessions) {
    return slotsOn({ ...query, date }).find((slot) => slot.slotTime === slotTime)
  }
  for (const day of [date, addDays(date, -1)]) {
    for (const { opens, closes, staysUntil } of sessionsOn(query, day).reverse()) {
      const isOnGrid =
        opens <= slotTime &&
        slotTime < closes &&
        minutesBetween(opens, slotTime) % rules.grid_minutes === 0
      const startsAt = isOnGrid && toInstant(query.timezone, slotTime)
      const slot = startsAt && slotOf(rules, slotTime, startsAt.getTime(), minutes)
      if (slot && slot.endsAt <= staysUntil) return slot
    }
  }
  return undefined
}

/** The earliest and latest starts that can be booked now; excludes slots that have begun. */
export function noticeOf(rules: Rules, at: Date): { earliest: number; latest: number } {
  return {
    earliest: Math.max(at.getTime() + rules.lead_minutes * MINUTE_MS, at.getTime() + 1),
    latest: at.getTime() + rules.horizon_days * DAY_MS,
  }
}

/** The slots from `from` to `until` that `evaluateSlot` accepts at `at`, session by session. */
export function* offeredSlots(
  query: SlotQuery & { at: Date; from: Date; until: Date },
): Generator<OfferedSlot> {
  const { rules, timezone, at, partySize } = query
  if (partySize < rules.party_min || partySize > rules.party_max) return
  const notice = noticeOf(rules, at)
  const from = Math.max(notice.earliest, query.from.getTime())
  const until = Math.min(notice.latest, query.until.getTime())
  const lastDate = dateAt(timezone, until)
  let date = addDays(dateAt(timezone, from), -1)
  for (; date <= lastDate; date = addDays(date, 1)) {
    yield* slotsOn({ ...query, date }, { from, until })
  }
}

const dateAt = (timezone: string, at: number): string => dateOf(toLocal(timezone, new Date(at)))
