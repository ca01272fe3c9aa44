import {
  afterFailure,
  type Breaker,
  closedBreaker,
  gapMs,
  isOpen,
  openBreaker,
} from '../rules/breaker.ts'
import { concurrencyAfter, INITIAL_CONCURRENCY } from '../rules/concurrency.ts'
import { FAILING_GAP_MS, type SendOrder } from '../rules/sending.ts'
import type { Verdict } from '../rules/verdict.ts'
import type { AttemptCause } from '../rules/webhooks.ts'
import type { BatchEndpoint } from '../store/batches.ts'
import type { Health } from '../store/endpoint-health.ts'

/** What a batch knows of its endpoint, and learns with each answer. */
export type EndpointState = {
  breaker: Breaker
  concurrency: number
  health: Health
  /** it has answered 410 */
  isGone: boolean
}

/** Where an endpoint stands when a batch begins: what the workflow remembers, or else what the row says. */
export function initialState(
  { failingSince, failedAt, waitUntil, waitReason, isFifo, provedAt }: BatchEndpoint,
  order: SendOrder,
): EndpointState {
  const known = waitReason === 'breaker' ? openBreaker : closedBreaker
  const hasMoved = order.provedAt !== null && order.provedAt !== provedAt?.getTime()
  const { breaker, concurrency } = hasMoved ? newAddress : order
  return {
    breaker: breaker ?? known,
    concurrency: isFifo ? 1 : concurrency,
    health: { failingSince, failedAt, waitUntil, waitReason },
    isGone: false,
  }
}

const newAddress = { breaker: null, concurrency: INITIAL_CONCURRENCY }

/** Where an endpoint stands at an address of which nothing is known. */
export const freshState = ({ isFifo }: BatchEndpoint): EndpointState => ({
  breaker: closedBreaker,
  concurrency: isFifo ? 1 : INITIAL_CONCURRENCY,
  health: { ...isWell, ...noWait },
  isGone: false,
})

/** One answer more; `share`, from 0 up to 1, concurrency the next probe within its jitter. */
export function applyVerdict(
  state: EndpointState,
  { verdict, cause, share }: { verdict: Verdict; cause: AttemptCause; share: number },
  { isFifo, at }: { isFifo: boolean; at: Date },
): EndpointState {
  if (!verdict.counts) return state
  const { health } = state
  if (verdict.attempt === 'succeeded') {
    const wait = health.waitReason === 'retry_after' ? health : noWait
    return { ...state, breaker: closedBreaker, health: { ...wait, ...isWell } }
  }
  const isProbe = cause === 'probe'
  const wasOpen = isOpen(state.breaker)
  const breaker = afterFailure(state.breaker, isProbe)
  // What is replayed comes last, so nothing waits for it.
  const isHead = isFifo && cause !== 'replay' && verdict.dueAt !== null
  const isGap = isOpen(breaker) && (isProbe || !wasOpen)
  const gapEnds = new Date(at.getTime() + gapMs(breaker, share))
  const waits: (Pick<Health, 'waitUntil' | 'waitReason'> | false)[] = [
    isGap && { waitUntil: gapEnds, waitReason: 'breaker' },
    isHead && { waitUntil: verdict.dueAt, waitReason: 'fifo' },
    verdict.waitUntil !== null && { waitUntil: verdict.waitUntil, waitReason: 'retry_after' },
  ]
  const wait = waits.reduce<Pick<Health, 'waitUntil' | 'waitReason'>>(
    (longest, one) => (one && timeOf(one) > timeOf(longest) ? one : longest),
    health,
  )
  const { waitUntil, waitReason } = wait
  return {
    ...state,
    breaker,
    isGone: state.isGone || verdict.failure === 'gone',
    health: { waitUntil, waitReason, ...failingAfter(health, verdict, at) },
  }
}

/** A failure continues those before it, unless they are long past. An event that is too large says nothing about the others. */
function failingAfter(
  { failingSince, failedAt }: Health,
  { failure }: Verdict,
  at: Date,
): Pick<Health, 'failingSince' | 'failedAt'> {
  const last = (failedAt ?? failingSince)?.getTime() ?? 0
  const goesOn = failingSince !== null && at.getTime() - last <= FAILING_GAP_MS
  if (failure === 'too_large') return goesOn ? { failingSince, failedAt } : isWell
  return { failingSince: goesOn ? failingSince : at, failedAt: at }
}

/** More concurrency for an endpoint that answers well and quickly, fewer for another; a first-in-first-out endpoint has one. */
export const adjustConcurrency = (
  state: EndpointState,
  { isFifo, ...answers }: { slowestMs: number; hasFailed: boolean; isFifo: boolean },
): EndpointState =>
  isFifo ? state : { ...state, concurrency: concurrencyAfter(state.concurrency, answers) }

const isWell = { failingSince: null, failedAt: null }
const noWait = { waitUntil: null, waitReason: null }
const timeOf = ({ waitUntil }: Pick<Health, 'waitUntil'>) => waitUntil?.getTime() ?? 0
