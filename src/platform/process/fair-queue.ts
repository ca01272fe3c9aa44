import { refuse } from '../../base/errors.ts'

const TIMEOUT_MS = 5_000
const RETRY_AFTER_SECONDS = 2

type Waiting = { start(): void; refuse(): void }

type FairQueueOptions = {
  /** maximum concurrent work */
  atOnce: number
  /** maximum concurrent work per caller */
  perCaller?: number
  /** above this, the newest work of the caller with the most waiting is refused */
  maxWaiting: number
  /** work that has not begun by then is refused */
  patienceMs?: number
}

/**
 * Limits concurrent expensive work in this process. Callers take turns, so that nobody has to wait
 * for all of another caller's work. Throws `overloaded` for work that cannot begin.
 */
export function createFairQueue({
  atOnce,
  perCaller = atOnce,
  maxWaiting,
  patienceMs = TIMEOUT_MS,
}: FairQueueOptions) {
  /** by caller, in the order in which callers are served */
  const queues = new Map<string, Set<Waiting>>()
  const running = new Map<string, number>()
  let free = atOnce
  let waiting = 0

  const canStart = (caller: string) => free > 0 && (running.get(caller) ?? 0) < perCaller

  const leave = (caller: string, one: Waiting) => {
    const queue = queues.get(caller)
    if (!queue?.delete(one)) return
    waiting -= 1
    if (queue.size === 0) queues.delete(caller)
  }
  const begin = (caller: string) => {
    free -= 1
    running.set(caller, (running.get(caller) ?? 0) + 1)
  }
  const end = (caller: string) => {
    free += 1
    const remaining = (running.get(caller) ?? 1) - 1
    if (remaining > 0) running.set(caller, remaining)
    else running.delete(caller)
    for (const [next, queue] of queues) {
      const [first] = queue
      if (!first || !canStart(next)) continue
      leave(next, first)
      // Moves the caller to the end of the line.
      if (queues.delete(next)) queues.set(next, queue)
      begin(next)
      return first.start()
    }
  }

  const turn = (caller: string) =>
    new Promise<void>((start, reject) => {
      const late = setTimeout(() => one.refuse(), patienceMs)
      const one: Waiting = {
        start() {
          clearTimeout(late)
          start()
        },
        refuse() {
          clearTimeout(late)
          leave(caller, one)
          const what = 'Too much work of this kind is waiting.'
          reject(refuse('overloaded', what, { retry_after: RETRY_AFTER_SECONDS }))
        },
      }
      queues.set(caller, (queues.get(caller) ?? new Set()).add(one))
      waiting += 1
      if (waiting > maxWaiting) longest(queues)?.refuse()
    })

  return async <T>(caller: string, work: () => Promise<T>): Promise<T> => {
    if (canStart(caller)) begin(caller)
    else await turn(caller)
    try {
      return await work()
    } finally {
      end(caller)
    }
  }
}

/** The newest work of the caller with the most waiting. */
function longest(queues: ReadonlyMap<string, ReadonlySet<Waiting>>): Waiting | undefined {
  const most = [...queues.values()].reduce((one, other) => (other.size > one.size ? other : one))
  return [...most].at(-1)
}
