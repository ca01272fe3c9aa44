import { isOpen } from '../rules/breaker.ts'
import { burstSize } from '../rules/concurrency.ts'
import type { Batch } from './batch.ts'

/** A batch ends after this many attempts, so that the workflow's history shows progress. */
const ENOUGH_ATTEMPTS = 200
const ENOUGH_MS = 10_000

/** While a request takes longer than this, a batch continues up to these limits. */
const SLOW_REQUEST_MS = 1_000
const MAX_ATTEMPTS = 500
const MAX_MS = 40_000

/** While requests are in flight, a batch wakes up at least this often. */
const MAX_WAIT_MS = 1_000

/** A batch's longest pause. Longer ones are workflow timers, which fire up to a second late. */
export const MAX_PAUSE_MS = 1_000

/** How many deliveries the batch is allowed to claim now. */
export function claimLimit(batch: Batch): number {
  const { rate_per_second } = batch.endpoint
  const at = batch.now().getTime()
  if (batch.isDrained) return 0
  const free = freeSlots(batch, at)
  if (rate_per_second === null) return free
  return at >= batch.paceAt ? Math.min(free, burstSize(rate_per_second)) : 0
}

/** The number of requests that could start now if there were no rate limit. */
function freeSlots(batch: Batch, at: number): number {
  const { state, inFlight, claimed } = batch
  if (!maySend(batch, at)) return 0
  if (isOpen(state.breaker)) return inFlight.count() === 0 ? 1 : 0
  return Math.max(0, Math.min(state.concurrency - inFlight.count(), MAX_ATTEMPTS - claimed))
}

/** How long to wait for completions; `pollMs` if the last claim was not full. */
export function completionWaitMs(batch: Batch, pollMs: number): number {
  const at = batch.now().getTime()
  if (freeSlots(batch, at) === 0) return MAX_WAIT_MS
  return Math.max(batch.isDrained ? pollMs : 0, batch.paceAt - at)
}

/** Time until the batch can claim again if nothing is in flight; undefined once it has ended. */
export function pauseMs(batch: Batch): number | undefined {
  const at = batch.now().getTime()
  if (!maySend(batch, at)) return undefined
  const untilPace = batch.isDrained ? Number.POSITIVE_INFINITY : batch.paceAt - at
  const untilReplay = (batch.replayAt?.getTime() ?? Number.POSITIVE_INFINITY) - at
  const pause = Math.max(0, Math.min(untilPace, untilReplay))
  return pause <= MAX_PAUSE_MS ? pause : undefined
}

function maySend(batch: Batch, at: number): boolean {
  const { signal, failed, status, state } = batch
  const { wait_until } = state.health
  if (signal.aborted || failed || status !== 'active') return false
  return !hasDoneEnough(batch, at) && (wait_until === null || wait_until.getTime() <= at)
}

function hasDoneEnough({ beganAt, claimed, sent, inFlight }: Batch, at: number): boolean {
  const ms = at - beganAt
  if (claimed >= MAX_ATTEMPTS || ms >= MAX_MS) return true
  const isEnough = sent.length >= ENOUGH_ATTEMPTS || ms >= ENOUGH_MS
  return isEnough && inFlight.oldestMs() < SLOW_REQUEST_MS
}
