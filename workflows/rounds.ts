import { isCancellation, sleep } from '@temporalio/workflow'
import type { Rounds } from '../src/contract/rules/rounds.ts'

/**
 * Does the work of a scheduled run several times, because each run costs more than its work when
 * there is nothing to do. A failed round is made up for by the next; that of the last is the run's.
 */
export async function inRounds<T>({ count, seconds }: Rounds, work: () => Promise<T>): Promise<T> {
  for (let left = count; left > 1; left -= 1) {
    const next = Date.now() + seconds * 1000
    await work().catch(unlessCancelled)
    const pause = next - Date.now()
    if (pause > 0) await sleep(pause, { summary: 'until the next round' })
  }
  return work()
}

function unlessCancelled(error: unknown): void {
  if (isCancellation(error)) throw error
}
