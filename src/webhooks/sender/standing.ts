import {
  afterFailure,
  type Breaker,
  closedBreaker,
  gapMs,
  isOpen,
  openBreaker,
} from '../rules/breaker.ts'
import { FIRST_PLACES, placesAfter } from '../rules/send-places.ts'
import { FAILING_GAP_MS, type SendOrder } from '../rules/sending.ts'
import type { Verdict } from '../rules/verdict.ts'
import type { AttemptCause } from '../rules/webhooks.ts'
import type { BatchEndpoint } from '../store/batches.ts'
import type { Health } from '../store/endpoint-health.ts'

/** What a batch knows of its endpoint, and learns with each answer. */
export type Standing = {
  breaker: Breaker
  places: number
  health: Health
  /** it has answered 410 */
  isGone: boolean
}

/** Where an endpoint stands when a batch begins: what the workflow remembers, or else what the row says. */
export function standingOf(
  { failingSince, failedAt, waitUntil, waitReason, isFifo, provedAt }: BatchEndpoint,
  order: SendOrder,
): Standing {
  const known = waitReason === 'breaker' ? openBreaker : closedBreaker
  const hasMoved = order.provedAt !== null && order.provedAt !== provedAt?.getTime()
  const { breaker, places } = hasMoved ? newAddress : order
  return {
    breaker: breaker ?? known,
    places: isFifo ? 1 : places,
    health: { failingSince, failedAt, waitUntil, waitReason },
    isGone: false,
  }
}

const newAddress = { breaker: null, places: FIRST_PLACES }

/** Where an endpoint stands at an address of which nothing is known. */
export const standingAnew = ({ isFifo }: BatchEndpoint): Standing => ({
  breaker: closedBreaker,
  places: isFifo ? 1 : FIRST_PLACES,
  health: { ...isWell, ...noWait },
  isGone: false,
})

/** One answer more; `share`, from 0 up to 1, places the next probe within its jitter. */
export function learn(
  standing: Standing,
  { verdict, cause, share }: { verdict: Verdict; cause: AttemptCause; share: number },
  { isFifo, at }: { isFifo: boolean; at: Date },
): Standing {
  if (!verdict.counts) return standing
  const { health } = standing
  if (verdict.attempt === 'succeeded') {
    const wait = health.waitReason === 'retry_after' ? health : noWait
    return { ...standing, breaker: closedBreaker, health: { ...wait, ...isWell } }
  }
  const isProbe = cause === 'probe'
  const wasOpen = isOpen(standing.breaker)
  const breaker = afterFailure(standing.breaker, isProbe)
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
    ...standing,
    breaker,
    isGone: standing.isGone || verdict.failure === 'gone',
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

/** More places for an endpoint that answers well and quickly, fewer for another; a first-in-first-out endpoint has one. */
export const resize = (
  standing: Standing,
  { isFifo, ...answers }: { slowestMs: number; hasFailed: boolean; isFifo: boolean },
): Standing => (isFifo ? standing : { ...standing, places: placesAfter(standing.places, answers) })

const isWell = { failingSince: null, failedAt: null }
const noWait = { waitUntil: null, waitReason: null }
const timeOf = ({ waitUntil }: Pick<Health, 'waitUntil'>) => waitUntil?.getTime() ?? 0
