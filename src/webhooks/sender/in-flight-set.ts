/** Requests in flight. Completed ones are collected so they can be recorded together. */
export type InFlightSet<T> = {
  /** in flight now */
  count(): number
  /** whether nothing is in flight and every completed request has been taken */
  isEmpty(): boolean
  /** how long the oldest request has been in flight */
  oldestMs(): number
  start(request: () => Promise<T>): void
  /** The requests completed since the last call. Rethrows a request's error. */
  takeCompleted(): T[]
  /** Waits up to `ms`: for `enough` completions, for all, or for 25 ms without a further one. */
  waitForCompletion(enough: number, ms: number): Promise<void>
}

const GATHER_MS = 25

export function createInFlightSet<T>(): InFlightSet<T> {
  const inFlight = new Set<{ startedAt: number }>()
  const completed: T[] = []
  let failure: { error: unknown } | undefined
  let onCompletion = () => {}

  return {
    count: () => inFlight.size,
    isEmpty: () => inFlight.size === 0 && completed.length === 0 && !failure,
    oldestMs() {
      const [oldest] = inFlight
      return oldest ? performance.now() - oldest.startedAt : 0
    },
    start(request) {
      const entry = { startedAt: performance.now() }
      inFlight.add(entry)
      void request()
        .then(
          (result) => void completed.push(result),
          (error: unknown) => {
            failure = { error }
          },
        )
        .finally(() => {
          inFlight.delete(entry)
          onCompletion()
        })
    },
    takeCompleted() {
      if (failure) {
        const { error } = failure
        failure = undefined
        throw error
      }
      return completed.splice(0)
    },
    async waitForCompletion(enough, ms) {
      const isEnough = () => inFlight.size === 0 || completed.length >= enough || failure
      if (isEnough()) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const timeout = setTimeout(resolve, ms)
      let gathered: NodeJS.Timeout | undefined
      onCompletion = () => {
        if (isEnough()) resolve()
        else if (completed.length > 0) gathered ??= setTimeout(resolve, GATHER_MS)
      }
      onCompletion()
      await promise
      onCompletion = () => {}
      clearTimeout(timeout)
      clearTimeout(gathered)
    },
  }
}
