import { addDays } from '../../base/local-time.ts'
import { exceptionOn, noticeOf, type OfferedSlot, type SlotQuery, timesOn } from './slots.ts'

export type DateQuery = SlotQuery & { at: Date; date: string }

/** Why a date's slots are unusual or missing; `isNotice` if it is too early or late to book. */
export type Why = { reason: string; isNotice: boolean }

/** Slots that can be booked, and slots that an exception removes. */
type DateSlots = { open: OfferedSlot[]; closed: OfferedSlot[]; why: Why | null }

/** The slots on a local date, including those of a session that began the day before. */
export function slotsOfDate(query: DateQuery): DateSlots {
  const offered = timesOn(query)
  const open = withinNotice(query, offered)
  const usual =
    query.exceptions.length > 0 ? withinNotice(query, timesOn({ ...query, exceptions: [] })) : []
  const times = new Set(open.map(({ slotTime }) => slotTime))
  const closed = usual.filter(({ slotTime }) => !times.has(slotTime))
  return { open, closed, why: whyOf(query, offered, { open, closed }) }
}

function whyOf(
  query: DateQuery,
  [first]: readonly OfferedSlot[],
  { open, closed }: Pick<DateSlots, 'open' | 'closed'>,
): Why | null {
  const { date, rules, at } = query
  const before = closed.length > 0 ? exceptionOn(query, addDays(date, -1)) : undefined
  const exception = exceptionOn(query, date) ?? before
  if (exception) return { reason: exception.reason, isNotice: false }
  if (open.length > 0) return null
  if (!first) {
    const none = rules.sessions ? 'no such session' : 'are no opening hours'
    return { reason: `There ${rules.sessions ? 'is ' : ''}${none} on this day.`, isNotice: false }
  }
  const isTooFar = first.startsAt.getTime() > noticeOf(rules, at).latest
  const lead = rules.lead_minutes > 0 ? `Bookings close ${rules.lead_minutes} minutes ahead. ` : ''
  const reason = isTooFar
    ? `Bookings open ${rules.horizon_days} days ahead.`
    : `${lead}No time is left on this day.`
  return { reason, isNotice: true }
}

function withinNotice({ rules, at }: DateQuery, slots: readonly OfferedSlot[]): OfferedSlot[] {
  const { earliest, latest } = noticeOf(rules, at)
  return slots.filter(({ startsAt }) => {
    const time = startsAt.getTime()
    return time >= earliest && time <= latest
  })
}
