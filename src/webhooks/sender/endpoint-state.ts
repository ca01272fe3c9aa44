import type { SendOrder } from '../rules/batch-messages.ts'
import {
  afterFailure,
  type Breaker,
  closedBreaker,
  gapMs,
  isOpen,
  openBreaker,
} from '../rules/breaker.ts'
import { INITIAL_CONCURRENCY } from '../rules/concurrency.ts'
import { MAX_FAILURE_GAP_MS } from '../rules/retry-schedule.ts'
import type { AttemptCause } from '../rules/statuses.ts'
import type { Verdict } from '../rules/verdict.ts'
import type { BatchEndpoint } from '../store/batches.ts'
import type { EndpointHealth } from '../store/endpoint-health.ts'

/** What a batch knows about its endpoint, updated after each response. */
export type EndpointState = {
  breaker: Breaker
  concurrency: number
  health: EndpointHealth
  /** it answered 410 */
  isGone: boolean
}

type Failing = Pick<EndpointHealth, 'failing_since' | 'failed_at'>
type Wait = Pick<EndpointHealth, 'wait_until' | 'wait_reason'>

const notFailing: Failing = { failing_since: null, failed_at: null }
const noWait: Wait = { wait_until: null, wait_reason: null }
const newUrl = { breaker: null, concurrency: INITIAL_CONCURRENCY }

/** The state of a new batch: from the workflow's memory if it has any, else from the row. */
export function initialState(endpoint: BatchEndpoint, order: SendOrder): EndpointState {
  const { failing_since, failed_at, wait_until, wait_reason, is_fifo, proved_at } = endpoint
  const fromRow = wait_reason === 'breaker' ? openBreaker : closedBreaker
  const hasMoved = order.provedAt !== null && order.provedAt !== proved_at?.getTime()
  const { breaker, concurrency } = hasMoved ? newUrl : order
  return {
    breaker: breaker ?? fromRow,
    concurrency: is_fifo ? 1 : concurrency,
    health: { failing_since, failed_at, wait_until, wait_reason },
    isGone: false,
  }
}

/** The state of an endpoint with a new URL. */
export const freshState = ({ is_fifo }: BatchEndpoint): EndpointState => ({
  breaker: closedBreaker,
  concurrency: is_fifo ? 1 : INITIAL_CONCURRENCY,
  health: { ...notFailing, ...noWait },
  isGone: false,
})

/** The state after another response. `share` (0 ≤ share < 1) determines a probe's jitter. */
export function applyVerdict(
  state: EndpointState,
  answer: { verdict: Verdict; cause: AttemptCause; share: number; isInOrder: boolean; at: Date },
): EndpointState {
  const { verdict, cause, share, isInOrder, at } = answer
  if (!verdict.reflectsEndpoint) return state
  const { health } = state
  if (verdict.attempt === 'succeeded') {
    const wait = health.wait_reason === 'retry_after' ? health : noWait
    return { ...state, breaker: closedBreaker, health: { ...wait, ...notFailing } }
  }
  const isProbe = cause === 'probe'
  const breaker = afterFailure(state.breaker, isProbe)
  // A gap begins with a failed probe, or with the failure that opens the breaker.
  const beginsGap = isOpen(breaker) && (isProbe || !isOpen(state.breaker))
  const holdsUpOthers = isInOrder && verdict.dueAt !== null
  const gapEnds = new Date(at.getTime() + gapMs(breaker, share))
  const wait = longestOf(health, [
    beginsGap && { wait_until: gapEnds, wait_reason: 'breaker' },
    holdsUpOthers && { wait_until: verdict.dueAt, wait_reason: 'fifo' },
    verdict.waitUntil !== null && { wait_until: verdict.waitUntil, wait_reason: 'retry_after' },
  ])
  return {
    ...state,
    breaker,
    isGone: state.isGone || verdict.failure === 'gone',
    health: { ...wait, ...failingAfter(health, verdict, at) },
  }
}

/** The wait that ends last; the current one by default. */
function longestOf({ wait_until, wait_reason }: Wait, others: (Wait | false)[]): Wait {
  const timeOf = (wait: Wait) => wait.wait_until?.getTime() ?? 0
  return others.reduce<Wait>(
    (longest, one) => (one && timeOf(one) > timeOf(longest) ? one : longest),
    { wait_until, wait_reason },
  )
}

/** A failure adds to the recent failures. A 413 says nothing about other events. */
function failingAfter(health: EndpointHealth, { failure }: Verdict, at: Date): Failing {
  const { failing_since, failed_at } = health
  const last = (failed_at ?? failing_since)?.getTime() ?? 0
  const continues = failing_since !== null && at.getTime() - last <= MAX_FAILURE_GAP_MS
  if (failure === 'too_large') return continues ? { failing_since, failed_at } : notFailing
  return { failing_since: continues ? failing_since : at, failed_at: at }
}
