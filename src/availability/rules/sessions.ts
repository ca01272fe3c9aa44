import { MINUTE_MS } from '../../base/durations.ts'
import {
  addDays,
  clockAfter,
  clockChanges,
  clockOn,
  dateOf,
  minutesOf,
  toInstant,
  weekdayOf,
} from '../../base/local-time.ts'
import { plainText } from '../../base/plain-text.ts'
import type { ClassSession, DayException, Rules } from './rules.ts'

type Scheduled = { rules: Pick<Rules, 'sessions'>; exceptions: readonly DayException[] }

type Windows = DayException['windows']

/** The hours that exceptions leave of the usual ones on a local date. */
export function hoursOn(
  exceptions: readonly DayException[],
  date: string,
  usual: () => Windows,
): Windows {
  if (exceptions.length === 0) return usual()
  const own = exceptions.filter((one) => one.date === date)
  const windows = own.find((one) => one.until === undefined)?.windows ?? usual()
  const until = own.find((one) => one.until !== undefined)?.until
  if (until === undefined) return windows
  return windows
    .filter(({ open }) => open < until)
    .map(({ open, close }) => ({ open, close: close < until ? close : until }))
}

/** Contains every session. */
const ALL_DAY = [{ open: '00:00', close: '48:00' }]

/** The sessions that an exception leaves on a local date, cancelled ones included. */
export function classesOn({ rules, exceptions }: Scheduled, date: string): ClassSession[] {
  const day = weekdayOf(date)
  const own = (rules.sessions ?? []).filter((one) => one.day === day || one.date === date)
  const once = new Set(own.flatMap((one) => (one.date ? [one.start] : [])))
  const hours = hoursOn(exceptions, date, () => ALL_DAY)
  return own.filter(
    ({ date: isOnce, start, minutes }) =>
      (isOnce || !once.has(start)) &&
      hours.some(({ open, close }) => open <= start && endOf(start, minutes) <= close),
  )
}

const endOf = (start: string, minutes: number) => clockAfter(minutesOf(start) + minutes)

/** The rules with these sessions, and the hours, lengths and places that follow from them. */
export function withSessions(rules: Rules, sessions: ClassSession[]): Rules {
  const weekly = sessions.flatMap(({ day, start, minutes }) =>
    day === undefined ? [] : [{ day, open: start, close: endOf(start, minutes) }],
  )
  const windows = weekly.toSorted((a, b) => a.day - b.day || (a.open < b.open ? -1 : 1))
  const minutes = Math.max(...sessions.map((one) => one.minutes))
  const durations = [{ party_max: rules.party_max, minutes }]
  const places = Math.max(...sessions.map((one) => one.places))
  return { ...rules, sessions, windows, durations, places }
}

/** Whether a session has this name of its own. */
export const isCalled = ({ name = '' }: Pick<ClassSession, 'name'>, text: string) =>
  plainText(name) === plainText(text)

/** What people call a service or the sessions of a class: `Yoga, Vinyasa`. */
export const fullName = (service: string, session?: string) =>
  [service, session ?? []].flat().join(', ')

/** The names that sessions of a class have of their own. */
export const sessionNames = ({ sessions = [] }: Pick<Rules, 'sessions'>): string[] => {
  const names = sessions.flatMap(({ name, cancelled }) => (cancelled ? [] : (name ?? [])))
  return [...new Map(names.map((name) => [plainText(name), name])).values()]
}

/** Marks a session that does not fit the wish. */
export const NOT_WISHED = 'not wished'

/** The rules with only these sessions; undefined if none is left. */
export function onlySessions(rules: Rules, fits: (one: ClassSession) => boolean) {
  // A session that replaces a weekly one must still replace it.
  const sessions = (rules.sessions ?? []).flatMap((one) => {
    if (fits(one)) return [one]
    return one.date ? [{ ...one, cancelled: NOT_WISHED }] : []
  })
  return sessions.some((one) => one.cancelled === undefined) ? { ...rules, sessions } : undefined
}

/** When somebody leads a session, buffer included; sessions on dates in `except` replace it. */
export type Lead = Pick<ClassSession, 'day' | 'date' | 'start' | 'minutes'> & {
  except?: string[] | undefined
}

/** The sessions of a venue that a resource leads; null if there are none. */
export function leadsOf(
  services: readonly { rules: Rules }[],
  { kind, name }: { kind: string; name: string },
): Lead[] | null {
  const leads = services.flatMap(({ rules: { leader, sessions = [], buffer_minutes } }) =>
    sessions
      .filter((one) => leader === kind && one.with === name && one.cancelled === undefined)
      .map(({ day, date, start, minutes: length }) => {
        const minutes = length + buffer_minutes
        if (date !== undefined) return { date, start, minutes }
        const others = sessions.flatMap((one) => (one.start === start && one.date) || [])
        const except = others.filter((one) => weekdayOf(one) === day).sort()
        return { day, start, minutes, ...(except.length > 0 && { except }) }
      }),
  )
  return leads.length > 0 ? leads : null
}

const isOn = ({ day, date, except = [] }: Lead, on: string) =>
  date === on || (day === weekdayOf(on) && !except.includes(on))

/** Whether somebody leads a session during a slot, buffers included. */
export function isLeading(
  leads: readonly Lead[],
  timezone: string,
  slot: { slotTime: string; startsAt: Date; occupiedUntil: Date },
): boolean {
  const date = dateOf(slot.slotTime)
  return [addDays(date, -1), date, addDays(date, 1)].some((on) =>
    leads.some((lead) => {
      const from = isOn(lead, on) ? toInstant(timezone, clockOn(on, lead.start)) : null
      const until = from && from.getTime() + lead.minutes * MINUTE_MS
      return until && from < slot.occupiedUntil && slot.startsAt.getTime() < until
    }),
  )
}

/** Later than any scheduled date. */
const ANY_DATE = '2998-12-29'
const CLOCK_CHANGES = 4

/** Two sessions that one person would lead at once, the second with its date; undefined if none. */
export function clashIn(
  leads: readonly Lead[],
  { timezone, at }: { timezone: string; at: Date },
): { date: string; leads: [Lead, Lead] } | undefined {
  const near = (date: string) => [addDays(date, -1), date, addDays(date, 1)]
  const dates = leads.flatMap(({ date }) => (date ? near(date) : []))
  // Weekly sessions that follow each other overlap where clocks go forward between them.
  const changes = leads.length > 1 ? clockChanges(timezone, at, CLOCK_CHANGES).flatMap(near) : []
  const anyWeek = [0, 1, 2, 3, 4, 5, 6, 7].map((days) => addDays(ANY_DATE, days))
  const times = [...new Set([...anyWeek, ...dates, ...changes])].flatMap((date) =>
    leads.flatMap((lead) => {
      const from = isOn(lead, date) && toInstant(timezone, clockOn(date, lead.start))?.getTime()
      return from ? [{ date, lead, from, until: from + lead.minutes * MINUTE_MS }] : []
    }),
  )
  times.sort((a, b) => a.from - b.from)
  for (const [index, { date, lead, from }] of times.entries()) {
    const before = times[index - 1]
    if (before && from < before.until) return { date, leads: [before.lead, lead] }
  }
  return undefined
}
