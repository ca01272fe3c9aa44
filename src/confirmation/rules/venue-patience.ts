import { DAY_MS, SECOND_MS } from '../../base/durations.ts'
import type { Call } from '../../bookings/rules/booking-messages.ts'
import { GRACE_MS } from '../../bookings/rules/in-time.ts'

/** How the last call to a venue ended: a decision, `pending`, or no valid answer. */
export type CallResult = 'decided' | 'pending' | 'nothing'

/** Classifies how a call ended. */
export function resultOf({ heard }: Call): CallResult {
  if (heard === null || heard === 'unknown') return 'nothing'
  return heard === 'pending' ? 'pending' : 'decided'
}

/** How long before the deadline to make the last call; at most a quarter of the time left. */
const LAST_CALL_MS = 10 * SECOND_MS

/**
 * Milliseconds until the next call to the venue: 1 s to 30 s while it does not answer, 15 s to 2
 * min while it answers `pending`, with a last call just before the deadline. After the last call,
 * milliseconds until the deadline takes effect. `tries` counts the calls so far.
 */
export function pauseUntilNextCall(
  result: CallResult,
  tries: number,
  now: number,
  answerBy: number,
): number {
  const [first, longest] = result === 'pending' ? [15, 120] : [1, 30]
  const pause = growing(first, tries, longest)
  const remaining = Math.max(0, answerBy - now)
  const lastCall = remaining - Math.min(LAST_CALL_MS, remaining / 4)
  return lastCall > SECOND_MS ? Math.min(pause, lastCall) : Math.max(0, answerBy + GRACE_MS - now)
}

/** Milliseconds until a withdrawal is sent again, from 1 s up to an hour. */
export const pauseUntilNextWithdrawal = (tries: number): number => growing(1, tries, 3600)

/** Whether to stop sending a withdrawal, which no longer matters 30 days after the slot. */
export const isWithdrawalOver = (startsAt: Date, at: Date): boolean =>
  at.getTime() >= startsAt.getTime() + 30 * DAY_MS

const growing = (first: number, tries: number, longest: number) =>
  Math.min(first * 2 ** Math.min(tries - 1, 20), longest) * SECOND_MS
