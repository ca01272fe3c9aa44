import { SECOND_MS } from '../../base/durations.ts'
import { MAX_TRIES, nextAttemptAt } from './retry-schedule.ts'

/** A response, or why there is none. `sent`: the receiver might have got the request. */
export type RequestOutcome =
  | { status: number; retryAfterMs: number | null }
  | { failure: string; sent: boolean }

/** What a request means for the attempt, the delivery and the endpoint. */
export type Verdict = {
  attempt: 'succeeded' | 'failed' | 'unknown'
  /** a category; null after a success */
  failure: string | null
  delivery: 'delivered' | 'pending' | 'failed'
  /** set for pending deliveries only */
  dueAt: Date | null
  /** the rule behind `dueAt`, or why there is no next attempt; null after a success */
  rule: string | null
  /** whether it counts as an attempt in the schedule */
  consumesAttempt: boolean
  /** whether it says something about the endpoint's health */
  reflectsEndpoint: boolean
  /** the time before which nothing is sent to the endpoint */
  waitUntil: Date | null
}

const SOON_MS = 10 * SECOND_MS
const RETRY_AFTER_RULE = 'The receiver asked for a pause (Retry-After).'

/** The verdict after `tries` earlier attempts. `share` (0 ≤ share < 1) determines the jitter. */
export function judge(
  outcome: RequestOutcome,
  delivery: { tries: number; give_up_at: Date },
  at: Date,
  share: number,
): Verdict {
  const ours = ourFault(outcome, at)
  if (ours) return ours
  const failure = failureOf(outcome)
  const base = { failure, consumesAttempt: true, reflectsEndpoint: true, waitUntil: null }
  if (failure === null) {
    return { ...base, attempt: 'succeeded', delivery: 'delivered', dueAt: null, rule: null }
  }
  const retried = { ...base, attempt: 'failed', delivery: 'pending' } as const
  const final = { ...base, attempt: 'failed', delivery: 'failed', dueAt: null } as const
  if (failure === 'gone') {
    const rule = 'The endpoint answered 410 and is disabled: held until it is enabled.'
    return { ...retried, dueAt: at, rule }
  }
  if (failure === 'too_large') {
    return { ...final, rule: 'None: the endpoint refuses events of this size (413).' }
  }
  const tries = delivery.tries + 1
  const next = nextAttemptAt({ tries, give_up_at: delivery.give_up_at }, at, share)
  const waitUntil = pauseRequested(outcome, at)
  if (!next) {
    const isUsedUp = tries >= MAX_TRIES
    const rule = isUsedUp ? 'None: every attempt has failed.' : 'None: its time is up.'
    return { ...final, waitUntil, rule }
  }
  if (waitUntil !== null && waitUntil > next) {
    return { ...retried, waitUntil, dueAt: waitUntil, rule: RETRY_AFTER_RULE }
  }
  const rule = `Attempt ${tries + 1} of ${MAX_TRIES} of the retry schedule.`
  return { ...retried, waitUntil, dueAt: next, rule }
}

/** Aborted requests and those that got no socket are our fault, so they do not count. */
function ourFault(outcome: RequestOutcome, at: Date): Verdict | undefined {
  if (!('failure' in outcome)) return undefined
  const { failure, sent } = outcome
  const base = {
    failure,
    delivery: 'pending',
    consumesAttempt: false,
    reflectsEndpoint: false,
    waitUntil: null,
  } as const
  if (failure === 'aborted') {
    const rule = 'At once: we aborted the request, which uses up no attempt.'
    return { ...base, attempt: sent ? 'unknown' : 'failed', dueAt: at, rule }
  }
  if (failure !== 'busy' && failure !== 'internal') return undefined
  const rule = 'Soon: the failure was ours and uses up no attempt.'
  return { ...base, attempt: 'failed', dueAt: new Date(at.getTime() + SOON_MS), rule }
}

/** The category of a failure; null for a success, which means 2xx. */
function failureOf(outcome: RequestOutcome): string | null {
  if ('failure' in outcome) return outcome.failure
  const { status } = outcome
  if (status >= 200 && status < 300) return null
  if (status === 410) return 'gone'
  if (status === 413) return 'too_large'
  if (status < 400) return 'redirect'
  return status < 500 ? 'refused' : 'server_error'
}

function pauseRequested(outcome: RequestOutcome, at: Date): Date | null {
  if (!('status' in outcome) || (outcome.status !== 429 && outcome.status !== 503)) return null
  const { retryAfterMs } = outcome
  return retryAfterMs ? new Date(at.getTime() + retryAfterMs) : null
}
