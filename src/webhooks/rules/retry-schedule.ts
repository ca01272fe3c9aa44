import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/durations.ts'

/** Delays after failed attempts. Before jitter, the tenth and last comes 75 h after the first. */
export const retryDelaysMs: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

/** Attempts in the schedule. When the last one fails, so does the delivery. */
export const MAX_TRIES = retryDelaysMs.length + 1

/** The time after which a delivery fails, even if attempts are left. */
export const GIVE_UP_MS = 90 * HOUR_MS

/** The time after which a failing endpoint is disabled. Its owner is warned halfway through. */
export const DISABLE_AFTER_MS = 5 * DAY_MS
export const WARN_AFTER_MS = DISABLE_AFTER_MS / 2

/** The schedule's figures for descriptions, pages and documentation. */
export const retrySchedule = {
  attempts: MAX_TRIES,
  hours: Math.floor(retryDelaysMs.reduce((sum, delay) => sum + delay) / HOUR_MS),
  giveUpHours: GIVE_UP_MS / HOUR_MS,
  disableDays: DISABLE_AFTER_MS / DAY_MS,
} as const

const JITTER = 0.2
/** Failures further apart are unrelated. Exceeds any delay in the schedule, jitter included. */
export const MAX_FAILURE_GAP_MS = Math.max(...retryDelaysMs) * (1 + JITTER) + HOUR_MS
/** An attempt due after the deadline is instead made this long before it. */
const LAST_CALL_MS = MINUTE_MS

/**
 * The time of the next attempt after attempt `tries` has failed, never after `give_up_at`; null if
 * there is none. `share` (0 ≤ share < 1) determines the jitter.
 */
export function nextAttemptAt(
  { tries, give_up_at }: { tries: number; give_up_at: Date },
  at: Date,
  share: number,
): Date | null {
  const delay = retryDelaysMs[tries - 1]
  if (delay === undefined) return null
  const next = at.getTime() + jittered(delay, share)
  const last = give_up_at.getTime() - LAST_CALL_MS
  if (next <= last) return new Date(next)
  return at.getTime() < last ? new Date(last) : null
}

/** `ms` ± 20 %: the low end at share 0, the high end as share approaches 1. */
export const jittered = (ms: number, share: number): number =>
  Math.round(ms * (1 - JITTER + 2 * JITTER * share))

/** A pseudo-random number (0 ≤ n < 1) that depends only on the seed and the text. */
export function shareOf(seed: number, text: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad) >>> 0
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97) >>> 0
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

/** The delay requested by `Retry-After`, at most a day; null if invalid (RFC 9110, 10.2.3). */
export function retryAfterMs(text: string | undefined, at: Date): number | null {
  const value = text?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(value)
    ? Number(value) * SECOND_MS
    : /^[A-Z][a-z]{2}/.test(value)
      ? Date.parse(value) - at.getTime()
      : Number.NaN
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), DAY_MS)
}
