import { mayTake } from '../process/fair-share.ts'

/**
 * Limits concurrent callers. The waiting caller with the fewest places comes next; ties are served
 * in order of arrival. Only nameless callers can take more than `share` of the free places.
 */
export function createSemaphore(total: number, share = 1) {
  const running = new Map<string, number>()
  const waiting = new Map<string, Set<() => void>>()
  let free = total
  const ownOf = (who: string) => running.get(who) ?? 0
  const canRun = (who: string) =>
    who === '' ? free > 0 : mayTake(ownOf(who), { free, total, share })
  const begin = (who: string) => {
    free -= 1
    running.set(who, ownOf(who) + 1)
  }
  const leave = (who: string, give: () => void) => {
    const queue = waiting.get(who)
    if (queue?.delete(give) && queue.size === 0) waiting.delete(who)
  }
  const nextWho = () => {
    let best: string | undefined
    for (const who of waiting.keys()) {
      if (canRun(who) && (best === undefined || ownOf(who) < ownOf(best))) best = who
    }
    return best
  }

  return {
    /** Rejects with the signal's reason if it aborts. */
    async acquire(signal: AbortSignal, who = ''): Promise<void> {
      signal.throwIfAborted()
      if (canRun(who)) return begin(who)
      await new Promise<void>((resolve, failed) => {
        const give = () => {
          signal.removeEventListener('abort', abort)
          resolve()
        }
        const abort = () => {
          leave(who, give)
          failed(signal.reason)
        }
        waiting.set(who, (waiting.get(who) ?? new Set()).add(give))
        signal.addEventListener('abort', abort, { once: true })
      })
    },
    release(who = ''): void {
      free += 1
      const remaining = ownOf(who) - 1
      if (remaining > 0) running.set(who, remaining)
      else running.delete(who)
      for (let next = nextWho(); next !== undefined; next = nextWho()) {
        const [give = () => {}] = waiting.get(next) ?? []
        leave(next, give)
        begin(next)
        give()
      }
    },
  }
}
