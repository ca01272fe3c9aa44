import { setTimeout } from 'node:timers/promises'

export type Pace = { callers: number; perSecond: number; seconds: number }

/**
 * Response times in ms, sorted, for `callers` that together send `perSecond` evenly spread calls,
 * so that queueing behind other callers does not count. A late caller sends its next call at once.
 */
export async function paced(
  { callers, perSecond, seconds }: Pace,
  call: (n: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  const begin = performance.now()
  const calls = perSecond * seconds
  const caller = async (first: number) => {
    for (let n = first; n < calls; n += callers) {
      await setTimeout(Math.max(0, begin + (n * 1000) / perSecond - performance.now()))
      const startedAt = performance.now()
      await call(n)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, first) => caller(first)))
  return times.sort((one, other) => one - other)
}
