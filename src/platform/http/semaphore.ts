/** Limits how many callers run at the same time, first come, first served. */
export function createSemaphore(total: number) {
  let free = total
  const waiting = new Set<() => void>()
  return {
    /** Rejects with the signal's reason when aborted. */
    async acquire(signal: AbortSignal): Promise<void> {
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
    release(): void {
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
