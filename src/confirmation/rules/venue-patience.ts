/** What the last call to a venue brought: a decision, `pending`, or no answer that counts. */
export type CallResult = 'decided' | 'pending' | 'nothing'

const SECOND = 1000
/** Calls close in on the deadline: one so long before it leaves time for the answer; where little is left, a quarter of it. */
const LAST_CALL_MS = 10 * SECOND

/**
 * Milliseconds until the venue is asked again, or until `answerBy` where that comes first: from 1 s to 30 s while it does not
 * answer, from 15 s to 2 min while it thinks, and once more just before the deadline. `tries` counts the calls so far.
 */
export function pauseUntilNextCall(
  result: CallResult,
  tries: number,
  now: number,
  answerBy: number,
): number {
  const [first, longest] = result === 'pending' ? [15, 120] : [1, 30]
  const pause = growing(first, tries, longest)
  const left = Math.max(0, answerBy - now)
  const lastCall = left - Math.min(LAST_CALL_MS, left / 4)
  return lastCall > SECOND ? Math.min(pause, lastCall) : left
}

/** Milliseconds until a withdrawal is sent again: from 1 s to an hour. */
export const pauseUntilNextWithdrawal = (tries: number): number => growing(1, tries, 3600)

const growing = (first: number, tries: number, longest: number) =>
  Math.min(first * 2 ** Math.min(tries - 1, 20), longest) * SECOND

/** How often a notice to the people at a venue is tried, before it is left to the venue's page. */
export const NOTICE_TRIES = 4
