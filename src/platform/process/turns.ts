type Limits = {
  /** maximum concurrent callers per name */
  atOnce: number
  /** work running for longer than this no longer blocks others */
  aheadMs: number
}

type Turn<T> = {
  work(): Promise<T>
  /** returns an answer that makes the work unnecessary, if there is one by now */
  instead(): Promise<T | undefined>
  /** how long to wait for a turn before working anyway */
  patienceMs: number
}

type Line = { callers: number; ahead: number; hasMoved: boolean; waiting: Set<() => void> }

const newLine = (): Line => ({ callers: 0, ahead: 0, hasMoved: false, waiting: new Set() })

/**
 * Limits concurrency per name. Whenever a caller finishes, those that wait check for an answer; a
 * caller works only if there is no answer and it is its turn.
 */
export function createKeyedQueue(limits: Limits) {
  const lines = new Map<string, Line>()

  return async <T>(name: string, turn: Turn<T>): Promise<T> => {
    const line = lines.get(name) ?? newLine()
    lines.set(name, line)
    line.callers += 1
    try {
      return await takeTurn(line, limits, turn)
    } finally {
      line.callers -= 1
      if (line.callers === 0) lines.delete(name)
    }
  }
}

async function takeTurn<T>(
  line: Line,
  { atOnce, aheadMs }: Limits,
  { work, instead, patienceMs }: Turn<T>,
): Promise<T> {
  const until = performance.now() + patienceMs
  for (let looks = line.hasMoved || line.ahead >= atOnce; looks; looks = true) {
    const hadRoom = line.ahead < atOnce
    const answer = await instead()
    if (answer !== undefined) return answer
    const hasRoom = line.ahead < atOnce
    const msLeft = until - performance.now()
    if ((hadRoom && hasRoom) || msLeft <= 0) break
    // A caller that finished during the check may have stored an answer since: check again.
    if (!hasRoom) await untilMoved(line, msLeft)
  }
  // In the same tick as the last check for room, so that nobody else takes the place.
  return goAhead(line, work, aheadMs)
}

/** Resolves when a caller ahead is done, or after `ms`. */
function untilMoved({ waiting }: Line, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      waiting.delete(wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    waiting.add(wake)
  })
}

async function goAhead<T>(line: Line, work: () => Promise<T>, aheadMs: number): Promise<T> {
  let isAhead = true
  const step = () => {
    if (!isAhead) return
    isAhead = false
    line.ahead -= 1
    line.hasMoved = true
    for (const wake of [...line.waiting]) wake()
  }
  line.ahead += 1
  const timer = setTimeout(step, aheadMs)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    step()
  }
}
