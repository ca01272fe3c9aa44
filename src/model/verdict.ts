import { nextTryAt } from './retry-schedule.ts'

/** What came back from a request: a status, or why there is none. `sent`: the other side may have received it. */
export type Outcome =
  | { status: number; retryAfterMs: number | null }
  | { failure: string; sent: boolean }

/** Why an answer does not count as a delivery. */
export const answerFailures = {
  redirect: 'The answer is a redirect, which is never followed. Give the endpoint its new URL.',
  refused: 'The answer is an error of the 4xx kind.',
  server_error: 'The answer is an error of the 5xx kind.',
  gone: 'The answer is 410: the endpoint wants nothing more, and was disabled.',
  too_large: 'The answer is 413: the endpoint does not take this event, which is not tried again.',
} as const

/**
 * The rule that set the next try of a delivery: its schedule, a Retry-After, at once or soon since it was no fault of the endpoint, held
 * until its endpoint is enabled; or why there is none.
 */
export const nextRules = [
  'schedule',
  'retry_after',
  'at_once',
  'soon',
  'held',
  'tries_spent',
  'time_over',
  'too_large',
] as const
export type NextRule = (typeof nextRules)[number]

/** What a request means for its attempt, for its delivery and for its endpoint. */
export type Verdict = {
  attempt: 'succeeded' | 'failed' | 'unknown'
  /** a category, null for a success */
  failure: string | null
  delivery: 'delivered' | 'pending' | 'failed'
  /** set for pending ones only */
  dueAt: Date | null
  rule: NextRule | null
  /** tries of the schedule that it spends */
  spends: 0 | 1
  /** whether it says anything about the endpoint */
  counts: boolean
  /** nothing else is to be sent to the endpoint before */
  waitUntil: Date | null
}

const SOON_MS = 10_000

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
  if (failure === 'gone') return { ...failed, delivery: 'pending', dueAt: at, rule: 'held' }
  const isFinal = { ...failed, delivery: 'failed', dueAt: null } as const
  if (failure === 'too_large') return { ...isFinal, rule: 'too_large' }
  const spent = { tries: delivery.tries + 1, giveUpAt: delivery.giveUpAt }
  const next = nextTryAt(spent, at, share)
  const waitUntil = waitOf(outcome, at)
  if (!next) {
    const rule = nextTryAt({ ...spent, giveUpAt: FAR }, at, share) ? 'time_over' : 'tries_spent'
    return { ...isFinal, waitUntil, rule }
  }
  const later = waitUntil !== null && waitUntil > next
  return {
    ...failed,
    waitUntil,
    delivery: 'pending',
    dueAt: later ? waitUntil : next,
    rule: later ? 'retry_after' : 'schedule',
  }
}

const FAR = new Date(8.64e15)

/** What was called off, or never had a socket, is no fault of the endpoint: it spends no try. */
function ourFault(outcome: Outcome, at: Date): Verdict | undefined {
  if (!('failure' in outcome)) return undefined
  const { failure, sent } = outcome
  const base = { failure, delivery: 'pending', spends: 0, counts: false, waitUntil: null } as const
  if (failure === 'aborted') {
    return { ...base, attempt: sent ? 'unknown' : 'failed', dueAt: at, rule: 'at_once' }
  }
  if (failure !== 'busy' && failure !== 'internal') return undefined
  return { ...base, attempt: 'failed', dueAt: new Date(at.getTime() + SOON_MS), rule: 'soon' }
}

/** The category of what does not count as a delivery; null for a success, which is 2xx only. */
export function failureOf(outcome: Outcome): string | null {
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
