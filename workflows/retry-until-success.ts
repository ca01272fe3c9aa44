import { isCancellation, sleep } from '@temporalio/workflow'

/** Pauses between tries grow from a second to five minutes. */
const LONGEST_PAUSE_S = 300

/**
 * Runs a step until it succeeds, however long the database is away. The workflow sleeps between
 * tries: a local activity that backs off would keep its workflow task, and so a slot of the worker,
 * and would judge by the time of its first try.
 */
export async function retryUntilSuccess<T>(
  step: () => Promise<T>,
  onPause: (seconds: number) => void,
  summary: string,
): Promise<T> {
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_S)) {
    try {
      return await step()
    } catch (error) {
      if (isCancellation(error)) throw error
      onPause(pause)
      await sleep(pause * 1000, { summary })
    }
  }
}
