import { setImmediate } from 'node:timers/promises'

/** Attempts in flight at one venue. */
export type Concurrency = { running: number }

/**
 * Runs an attempt and reports whether another attempt at the same venue overlapped with it. The
 * tick lets all attempts of a round register before the first statement is sent.
 */
export async function trackOverlap<T>(
  concurrency: Concurrency,
  attempt: () => Promise<T>,
): Promise<{ result: T; contended: boolean }> {
  concurrency.running += 1
  try {
    await setImmediate()
    const atStart = concurrency.running
    const result = await attempt()
    return { result, contended: Math.max(atStart, concurrency.running) > 1 }
  } finally {
    concurrency.running -= 1
  }
}
