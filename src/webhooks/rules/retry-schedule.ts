const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Between a failed try and the next: after the first 5 s, after the second 5 minutes, and so on; about 75 hours in all. */
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

/** A delivery fails when this many tries of its schedule have failed. */
export const MAX_TRIES = retryDelaysMs.length + 1

const JITTER = 0.2
/** The longest time between a failed try and the next, jitter included. */
export const LONGEST_DELAY_MS = Math.max(...retryDelaysMs) * (1 + JITTER)
/** A try that would come after the end comes this long before it. */
const LAST_CALL_MS = MINUTE_MS
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS

/**
 * When a delivery whose `tries`th try has just failed is tried next, never after `giveUpAt`; null when it has failed for good. `share`,
 * from 0 up to 1, says where within ±20 % of the delay.
 */
export function nextAttemptAt(
  { tries, giveUpAt }: { tries: number; giveUpAt: Date },
  at: Date,
  share: number,
): Date | null {
  const delay = retryDelaysMs[tries - 1]
  if (delay === undefined) return null
  const next = at.getTime() + jittered(delay, share)
  const last = giveUpAt.getTime() - LAST_CALL_MS
  if (next <= last) return new Date(next)
  return at.getTime() < last ? new Date(last) : null
}

/** Milliseconds within ±20 % of `ms`; `share`, from 0 up to 1, says where. */
export const jittered = (ms: number, share: number): number =>
  Math.round(ms * (1 - JITTER + 2 * JITTER * share))

/** A number from 0 up to 1 that looks random and is always the same for the same seed and text. */
export function shareOf(seed: number, text: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad) >>> 0
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97) >>> 0
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

/** What `Retry-After` asks for, in milliseconds from `at`, at most a day; null for a text that is neither seconds nor a date (RFC 9110, 10.2.3). */
export function retryAfterMs(text: string | undefined, at: Date): number | null {
  const value = text?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(value)
    ? Number(value) * SECOND_MS
    : /^[A-Z][a-z]{2}/.test(value)
      ? Date.parse(value) - at.getTime()
      : Number.NaN
  if (Number.isNaN(ms)) return null
  return Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS)
}
