import { type OpeningHours, sessionsOn } from '../../availability/rules/slots.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { addDays, dateOf, toInstantPastGap, toLocal } from '../../base/local-time.ts'

type Question = { at: Date; startsAt: Date; minutes: number }

/** The deadline for a person at a venue to answer, and the time of the reminder. */
export type AnswerTimes = { answerBy: Date; remindAt: Date }

/**
 * A person at a venue has `minutes` of the venue's opening hours, counted from `at`, but at most
 * until the slot begins. The reminder comes after half of that time.
 */
export function answerTimes(hours: OpeningHours, question: Question): AnswerTimes {
  const { at, minutes } = question
  const answerBy = openUntil(hours, question)
  const half = openUntil(hours, { ...question, minutes: minutes / 2 })
  const halfway = new Date((at.getTime() + answerBy.getTime()) / 2)
  return { answerBy, remindAt: half < answerBy ? half : halfway }
}

/** When the venue has been open for this long, or when the slot begins, whichever is sooner. */
function openUntil(hours: OpeningHours, { at, startsAt, minutes }: Question): Date {
  const { timezone } = hours
  const lastDate = dateOf(toLocal(timezone, startsAt))
  let remaining = minutes * MINUTE_MS
  let now = at.getTime()
  // A session that began the day before may extend past midnight.
  let date = addDays(dateOf(toLocal(timezone, at)), -1)
  for (; date <= lastDate; date = addDays(date, 1)) {
    for (const { opens, closesAt } of inOrder(hours, date)) {
      const from = Math.max(now, toInstantPastGap(timezone, opens).getTime())
      const open = closesAt.getTime() - from
      if (open <= 0) continue
      if (open >= remaining) return new Date(Math.min(from + remaining, startsAt.getTime()))
      remaining -= open
      now = closesAt.getTime()
    }
  }
  return startsAt
}

const inOrder = (hours: OpeningHours, date: string) =>
  sessionsOn(hours, date).sort((a, b) => (a.opens < b.opens ? -1 : 1))
