import { addDays, dateOf } from '../../contract/rules/slot-time.ts'
import { exceptionOn } from './sessions.ts'
import { noticeOf, type OfferedSlot, type SlotQuery, slotsOn } from './slots.ts'

/** Whoever asks at `at` for a local date. */
export type DateQuery = SlotQuery & { at: Date; date: string }

/** The slots of a date by the rules, in order: those that can be booked, and those that only an exception takes away. */
export type DateSlots = { open: OfferedSlot[]; closed: OfferedSlot[] }

/** The slots whose local time lies on the date, also of a session that began the day before. */
export function slotsOfDate(query: DateQuery): DateSlots {
  const open = inNotice(query, timesOn(query))
  if (query.exceptions.length === 0) return { open, closed: [] }
  const times = new Set(open.map(({ slotTime }) => slotTime))
  const usual = inNotice(query, timesOn({ ...query, exceptions: [] }))
  return { open, closed: usual.filter(({ slotTime }) => !times.has(slotTime)) }
}

/** Why a date has no slots, or not the usual ones: in words, and whether it is only asked for too early or too late. */
export type Why = { reason: string; isNotice: boolean }

/** What is special about a date; null when nothing is. */
export function whyDate(query: DateQuery): Why | null {
  const { date, rules } = query
  const { open, closed } = slotsOfDate(query)
  const exception = exceptionOn(query, date)
  if (exception) return because(exception.reason)
  const before = exceptionOn(query, addDays(date, -1))
  if (closed.length > 0 && before) return because(before.reason)
  if (open.length > 0) return null
  const [first] = timesOn(query)
  if (!first) return because('There are no opening hours on this day.')
  const isTooFar = first.startsAt.getTime() > noticeOf(rules, query.at).latest
  const reason = isTooFar
    ? `Bookings open ${rules.horizon_days} days ahead.`
    : `Bookings close ${rules.lead_minutes} minutes ahead: the last time of this day is over.`
  return { reason, isNotice: true }
}

const because = (reason: string): Why => ({ reason, isNotice: false })

function timesOn(query: DateQuery): OfferedSlot[] {
  const { date } = query
  const sessions = [addDays(date, -1), date].flatMap((day) => slotsOn({ ...query, date: day }))
  const onDate = sessions.filter(({ slotTime }) => dateOf(slotTime) === date)
  // Where two sessions have the same time, that of the date itself is what a booking gets.
  return [...new Map(onDate.map((slot) => [slot.slotTime, slot])).values()]
}

function inNotice({ rules, at }: DateQuery, slots: readonly OfferedSlot[]): OfferedSlot[] {
  const { earliest, latest } = noticeOf(rules, at)
  return slots.filter(({ startsAt }) => {
    const time = startsAt.getTime()
    return time >= earliest && time <= latest
  })
}
