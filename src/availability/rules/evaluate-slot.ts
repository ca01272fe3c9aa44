import { MINUTE_MS } from '../../base/durations.ts'
import { type RefusalData, refusalData } from '../../base/errors.ts'
import {
  addDays,
  clockOn,
  dateOf,
  minutesBetween,
  toInstant,
  toLocal,
  weekdayOf,
  weekdays,
} from '../../base/local-time.ts'
import { outsideLimits } from './party-limits.ts'
import { classesOn, NOT_WISHED } from './sessions.ts'
import {
  durationFor,
  exceptionOn,
  noticeOf,
  type OfferedSlot,
  type SlotQuery,
  sessionsOn,
  slotAt,
  timesOn,
} from './slots.ts'

export type SlotRequest = SlotQuery & { slotTime: string; at: Date }

/** The times that a venue has on the requested date, and whether only a part of it was wished. */
export type DayTimes = { times: readonly string[]; isPart: boolean }

/**
 * Whether the rules let a party book a local time, regardless of inventory. `day` is read only for
 * the refusal of a time that the venue does not have.
 */
export function evaluateSlot(
  request: SlotRequest,
  day: () => DayTimes = () => ownTimes(request),
): { slot: OfferedSlot } | { refusal: RefusalData } {
  const { timezone, slotTime } = request
  const startsAt = toInstant(timezone, slotTime)
  if (!startsAt) {
    return { refusal: refusalData('slot_off_grid', `${slotTime} does not exist in ${timezone}.`) }
  }
  const unfit = outsideLimits(request.rules, request.partySize) ?? evaluateReach(request, startsAt)
  if (unfit) return { refusal: unfit }
  const slot = slotAt(request, slotTime)
  const refusal = slot ? evaluateLead(request, slot) : evaluateHours(request, day())
  return refusal ? { refusal } : { slot: slot as OfferedSlot }
}

function ownTimes(request: SlotRequest): DayTimes {
  const date = dateOf(request.slotTime)
  return { times: timesOn({ ...request, date }).map(({ slotTime }) => slotTime), isPart: false }
}

const localMinute = (timezone: string, ms: number) =>
  toLocal(timezone, new Date(Math.floor(ms / MINUTE_MS) * MINUTE_MS))

function evaluateReach(request: SlotRequest, startsAt: Date): RefusalData | undefined {
  const { rules, timezone, slotTime, at } = request
  if (startsAt <= at) {
    const what = `${slotTime} is over: in ${timezone} it is ${toLocal(timezone, at)}.`
    return refusalData('slot_in_past', what)
  }
  const { latest } = noticeOf(rules, at)
  if (startsAt.getTime() <= latest) return undefined
  const last = localMinute(timezone, latest)
  const what =
    `Bookings open ${rules.horizon_days} days ahead. The latest time is ${last} ` + `(${timezone}).`
  return refusalData('beyond_horizon', what, { latest: last })
}

function evaluateLead({ rules, timezone, at }: SlotRequest, { startsAt }: OfferedSlot) {
  const { earliest } = noticeOf(rules, at)
  if (startsAt.getTime() >= earliest) return undefined
  const first = localMinute(timezone, earliest + MINUTE_MS - 1)
  const what =
    `Bookings close ${rules.lead_minutes} minutes ahead. The earliest time is ${first} ` +
    `(${timezone}).`
  return refusalData('lead_time', what, { earliest: first })
}

function evaluateHours(request: SlotRequest, { times, isPart }: DayTimes): RefusalData {
  const { rules, timezone, slotTime } = request
  const date = dateOf(slotTime)
  if (rules.sessions) return refuseSession(request, date)
  const reason = because(exceptionOn(request, date)?.reason)
  if (times.length === 0) {
    const what = isPart ? 'There are no such times' : 'The venue is closed'
    return refusalData('venue_closed', `${what} on ${dayOf(date)} (${timezone})${reason}.`)
  }
  const among = `On ${dayOf(date)} ${placeAmong(times, slotTime)}.`
  const sessions = [addDays(date, -1), date].flatMap((day) => sessionsOn(request, day))
  const session = sessions.find(({ opens, closes }) => opens <= slotTime && slotTime < closes)
  if (!session) {
    const what = `The venue is not open at ${slotTime} (${timezone})${reason}. ${among}`
    return refusalData('venue_closed', what)
  }
  const { opens, closes } = session
  if (minutesBetween(opens, slotTime) % rules.grid_minutes !== 0) {
    const what = `Slots begin every ${rules.grid_minutes} minutes from ${opens} (${timezone}).`
    return refusalData('slot_off_grid', `${what} ${among}`)
  }
  const minutes = durationFor(rules, request.partySize)
  const what = `A stay takes ${minutes} minutes, but the venue closes at ${closes} (${timezone}).`
  return refusalData('venue_closed', `${what} ${among}`)
}

/** `Friday 2026-12-04` */
export const dayOf = (date: string): string => `${weekdays[weekdayOf(date)]} ${date}`

/** Which of the sorted times of a day are nearest to another one: `the last time is 21:00`. */
export function placeAmong(times: readonly string[], wanted: string): string {
  const before = times.findLast((one) => one <= wanted)?.slice(11, 16)
  const after = times.find((one) => one >= wanted)?.slice(11, 16)
  if (times.length === 1) return `the only time is ${before ?? after}`
  if (before === undefined) return `the first time is ${after}`
  if (after === undefined) return `the last time is ${before}`
  return `the nearest times are ${before} and ${after}`
}

/** A reason within a sentence. */
const because = (reason?: string) => (reason ? `: ${reason.replace(/\.$/, '')}` : '')

function refuseSession(request: SlotRequest, date: string): RefusalData {
  const { timezone, slotTime, rules } = request
  const here = classesOn(request, date)
  const { cancelled } = here.find(({ start }) => clockOn(date, start) === slotTime) ?? {}
  const starts = here.flatMap((one) => (one.cancelled ? [] : [one.start])).sort()
  const isOther = cancelled === NOT_WISHED
  const reason = (isOther ? undefined : cancelled) ?? exceptionOn(request, date)?.reason
  const others = starts.length > 0 ? ` Others begin at ${starts.join(', ')}.` : ''
  const such = rules.session ?? `${isOther ? 'such ' : ''}session`
  const what = `There is no ${such} at ${slotTime} (${timezone})`
  const code = others === '' || reason ? 'venue_closed' : 'slot_off_grid'
  return refusalData(code, `${what}${because(reason)}.${others}`)
}
