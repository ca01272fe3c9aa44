import { setTimeout } from 'node:timers/promises'

export type Pace = { callers: number; perSecond: number; seconds: number }

/**
 * Milliseconds per call, in order, of `callers` that together send `perSecond` calls, evenly
 * spread: what a caller waits for the answer, not for the calls of others that were sent in the
 * same moment. A caller whose answer is late sends its next call at once.
 */
export async function paced(
  { callers, perSecond, seconds }: Pace,
  call: (n: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  const started = performance.now()
  const calls = perSecond * seconds
  const caller = async (first: number) => {
    for (let n = first; n < calls; n += callers) {
      await setTimeout(Math.max(0, started + (n * 1000) / perSecond - performance.now()))
      const begun = performance.now()
      await call(n)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, first) => caller(first)))
  return times.sort((one, other) => one - other)
}
