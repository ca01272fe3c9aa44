import { addDays, clockOn, dateOf, toInstantPastGap, toLocal } from '../../base/local-time.ts'
import { isRequest, type NoticeKind } from './message.ts'

type Venue = { timezone: string; quietFrom: string | null; quietUntil: string | null }

/**
 * When a notice may be sent: at once, or at the end of the venue's quiet hours. Neither a request
 * waits, nor what concerns a slot that begins before their end.
 */
export function notBefore(
  kind: NoticeKind,
  { timezone, quietFrom, quietUntil }: Venue,
  { at, startsAt }: { at: Date; startsAt: Date | null },
): Date {
  if (isRequest(kind) || quietFrom === null || quietUntil === null) return at
  const now = toLocal(timezone, at)
  const today = dateOf(now)
  const clock = now.slice(11, 16)
  const isOvernight = quietFrom > quietUntil
  const isQuiet = isOvernight
    ? clock >= quietFrom || clock < quietUntil
    : clock >= quietFrom && clock < quietUntil
  if (!isQuiet) return at
  const date = isOvernight && clock >= quietFrom ? addDays(today, 1) : today
  const end = toInstantPastGap(timezone, clockOn(date, quietUntil))
  return startsAt && startsAt < end ? at : end
}
