import { MAX_TRIES, nextAttemptAt } from './retry-schedule.ts'

/** What came back from a request: a status, or why there is none. `sent`: the other side may have received it. */
export type Outcome =
  | { status: number; retryAfterMs: number | null }
  | { failure: string; sent: boolean }

/** What a request means for its attempt, for its delivery and for its endpoint. */
export type Verdict = {
  attempt: 'succeeded' | 'failed' | 'unknown'
  /** a category, null for a success */
  failure: string | null
  delivery: 'delivered' | 'pending' | 'failed'
  /** set for pending ones only */
  dueAt: Date | null
  /** the rule that set `dueAt`, or why there is no next try, in words; null for a success */
  rule: string | null
  /** tries of the schedule that it spends */
  spends: 0 | 1
  /** whether it says anything about the endpoint */
  counts: boolean
  /** nothing else is to be sent to the endpoint before */
  waitUntil: Date | null
}

const SOON_MS = 10_000
const CALLED_OFF = 'At once: it was called off on our side, which spends no try.'
const OURS = 'Soon: the failure was on our side, which spends no try.'

/** Judges a request that belongs to the schedule: `tries` were spent before it. `share`, from 0 up to 1, places the next try within its jitter. */
export function judge(
  outcome: Outcome,
  delivery: { tries: number; giveUpAt: Date },
  at: Date,
  share: number,
): Verdict {
  const ours = ourFault(outcome, at)
  if (ours) return ours
  const failure = failureOf(outcome)
  const base = { failure, spends: 1, counts: true, waitUntil: null } as const
  if (failure === null) {
    return { ...base, attempt: 'succeeded', delivery: 'delivered', dueAt: null, rule: null }
  }
  const failed = { ...base, attempt: 'failed' } as const
  if (failure === 'gone')
    return {
      ...failed,
      delivery: 'pending',
      dueAt: at,
      rule: 'The endpoint answered 410: held until it is enabled.',
    }
  const isFinal = { ...failed, delivery: 'failed', dueAt: null } as const
  if (failure === 'too_large')
    return { ...isFinal, rule: 'Never: the endpoint does not take an event of this size.' }
  const spent = { tries: delivery.tries + 1, giveUpAt: delivery.giveUpAt }
  const next = nextAttemptAt(spent, at, share)
  const waitUntil = waitOf(outcome, at)
  if (!next) {
    const isSpent = spent.tries >= MAX_TRIES
    return {
      ...isFinal,
      waitUntil,
      rule: isSpent ? 'Never: all tries are spent.' : 'Never: its time is over.',
    }
  }
  const later = waitUntil !== null && waitUntil > next
  return {
    ...failed,
    waitUntil,
    delivery: 'pending',
    dueAt: later ? waitUntil : next,
    rule: later
      ? 'The receiver asked to be left alone until then (Retry-After).'
      : `Try ${spent.tries + 1} of ${MAX_TRIES} by the schedule.`,
  }
}

/** What was called off, or never had a socket, is no fault of the endpoint: it spends no try. */
function ourFault(outcome: Outcome, at: Date): Verdict | undefined {
  if (!('failure' in outcome)) return undefined
  const { failure, sent } = outcome
  const base = { failure, delivery: 'pending', spends: 0, counts: false, waitUntil: null } as const
  if (failure === 'aborted') {
    return { ...base, attempt: sent ? 'unknown' : 'failed', dueAt: at, rule: CALLED_OFF }
  }
  if (failure !== 'busy' && failure !== 'internal') return undefined
  return { ...base, attempt: 'failed', dueAt: new Date(at.getTime() + SOON_MS), rule: OURS }
}

/** The category of what does not count as a delivery; null for a success, which is 2xx only. */
function failureOf(outcome: Outcome): string | null {
  if ('failure' in outcome) return outcome.failure
  const { status } = outcome
  if (status >= 200 && status < 300) return null
  if (status === 410) return 'gone'
  if (status === 413) return 'too_large'
  if (status < 400) return 'redirect'
  return status < 500 ? 'refused' : 'server_error'
}

function waitOf(outcome: Outcome, at: Date): Date | null {
  if (!('status' in outcome) || (outcome.status !== 429 && outcome.status !== 503)) return null
  const { retryAfterMs } = outcome
  return retryAfterMs ? new Date(at.getTime() + retryAfterMs) : null
}
