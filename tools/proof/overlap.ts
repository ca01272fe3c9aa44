import { setImmediate } from 'node:timers/promises'

/** Whoever acts at one place; `running` of them at this moment. */
export type Crowd = { running: number }

/**
 * Runs an attempt and tells whether it was contended: whether another one at the same place ran at
 * some moment while it did. Others that begin in the same instant do so before its first statement
 * is sent.
 */
export async function amongOthers<T>(
  crowd: Crowd,
  attempt: () => Promise<T>,
): Promise<{ result: T; contended: boolean }> {
  crowd.running += 1
  try {
    await setImmediate()
    const atStart = crowd.running
    const result = await attempt()
    return { result, contended: Math.max(atStart, crowd.running) > 1 }
  } finally {
    crowd.running -= 1
  }
}
