/** Requests on their way. What comes back is collected, so that it can be written down together. */
export type InFlightSet<T> = {
  /** on their way */
  count(): number
  /** nothing is on its way, and nothing that came back is left to collect */
  isOver(): boolean
  /** how long the oldest has been on its way */
  oldestMs(): number
  start(request: () => Promise<T>): void
  /** What has come back since the last call. */
  takeCompleted(): T[]
  /** Waits until `enough` have come back, or a few that nothing more joins, or all; at most `ms`. */
  waitForCompletion(enough: number, ms: number): Promise<void>
}

/** What comes back within this time is written down together. */
const GATHER_MS = 25

/** `start` never rejects: what a request throws is thrown by `takeCompleted`. */
export function createInFlightSet<T>(): InFlightSet<T> {
  const begun = new Set<number>()
  let back: T[] = []
  let failed: { error: unknown } | undefined
  let onNews = () => {}

  return {
    count: () => begun.size,
    isOver: () => begun.size === 0 && back.length === 0 && !failed,
    oldestMs: () => {
      const [oldest] = begun
      return oldest === undefined ? 0 : performance.now() - oldest
    },
    start(request) {
      let key = performance.now()
      while (begun.has(key)) key += 1e-6
      begun.add(key)
      void request()
        .then(
          (result) => void back.push(result),
          (error: unknown) => {
            failed = { error }
          },
        )
        .finally(() => {
          begun.delete(key)
          onNews()
        })
    },
    takeCompleted() {
      const fault = failed
      failed = undefined
      if (fault) throw fault.error
      const all = back
      back = []
      return all
    },
    async waitForCompletion(enough, ms) {
      const isEnough = () => begun.size === 0 || back.length >= enough || failed !== undefined
      if (isEnough()) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const late = setTimeout(resolve, ms)
      let gathered: NodeJS.Timeout | undefined
      onNews = () => {
        if (isEnough()) resolve()
        else if (back.length > 0) gathered ??= setTimeout(resolve, GATHER_MS)
      }
      onNews()
      await promise
      onNews = () => {}
      clearTimeout(late)
      clearTimeout(gathered)
    },
  }
}
