/** A count of things that may be in use at the same time, first come, first served. */
export type Places = {
  /** Resolves when a place is taken; rejects with the signal's reason, and takes none, when aborted. */
  take(signal: AbortSignal): Promise<void>
  release(): void
}

export function createPlaces(total: number): Places {
  let free = total
  const waiting = new Set<() => void>()
  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free -= 1
        return
      }
      await new Promise<void>((taken, failed) => {
        const give = () => {
          signal.removeEventListener('abort', leave)
          taken()
        }
        const leave = () => {
          waiting.delete(give)
          failed(signal.reason)
        }
        waiting.add(give)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
    release() {
      const [next] = waiting
      if (!next) {
        free += 1
        return
      }
      waiting.delete(next)
      next()
    },
  }
}
