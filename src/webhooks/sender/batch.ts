import { isOpen } from '../rules/breaker.ts'
import { burstSize } from '../rules/concurrency.ts'
import {
  ENOUGH_OF_A_BATCH,
  HANGING_MS,
  LONG_BATCH_MS,
  LONGEST_BATCH_MS,
  MOST_OF_A_BATCH,
  type SendOrder,
  type SentLine,
} from '../rules/sending.ts'
import type { EndpointStart, EndpointStatus } from '../rules/webhooks.ts'
import type { BatchEndpoint } from '../store/batches.ts'
import type { Claim } from '../store/claims.ts'
import { type EndpointSecrets, openSecrets } from './endpoint-secrets.ts'
import { type EndpointState, freshState, initialState } from './endpoint-state.ts'
import { createInFlightSet, type InFlightSet } from './in-flight-set.ts'
import type { SenderDeps, Sent } from './send-request.ts'
import { workflowClock } from './workflow-clock.ts'

/** A request that has come back. */
export type CompletedRequest = { claim: Claim; sent: Sent }

/** One batch to one endpoint, while it goes on. */
export type Batch = {
  readonly deps: SenderDeps
  readonly start: EndpointStart
  readonly endpoint: BatchEndpoint
  readonly secrets: EndpointSecrets
  readonly inFlight: InFlightSet<CompletedRequest>
  readonly seed: number
  readonly signal: AbortSignal
  /** Calls off what is on its way. */
  callOff(): void
  readonly beganAt: number
  now(): Date
  status: EndpointStatus
  state: EndpointState
  warnedAt: Date | null
  /** when the address that is sent to proved itself; what others answer is not learnt from */
  provedAt: Date | null
  sent: SentLine[]
  /** deliveries that were taken */
  taken: number
  /** the last look found less than there was room for */
  isDrained: boolean
  replayAt: Date | null
  paceAt: number
  failed: { error: unknown } | undefined
}

/** A batch that has sent nothing yet. */
export function beginBatch(
  deps: SenderDeps,
  start: EndpointStart,
  endpoint: BatchEndpoint,
  order: SendOrder,
  signal: AbortSignal,
): Batch {
  const now = workflowClock(order.at)
  const own = new AbortController()
  return {
    deps,
    start,
    endpoint,
    secrets: openSecrets(deps, start.endpointId, endpoint),
    inFlight: createInFlightSet(),
    seed: order.seed,
    signal: AbortSignal.any([signal, own.signal]),
    callOff: () => own.abort(),
    beganAt: now().getTime(),
    now,
    status: endpoint.status,
    state: initialState(endpoint, order),
    warnedAt: endpoint.warnedAt,
    provedAt: endpoint.provedAt,
    sent: [],
    taken: 0,
    isDrained: false,
    replayAt: endpoint.replayAt,
    paceAt: order.paceAt,
    failed: undefined,
  }
}

/** Whether a request went to the address that the batch knows. */
export const isKnown = ({ provedAt }: Batch, claim: Pick<Claim, 'provedAt'>): boolean =>
  provedAt?.getTime() === claim.provedAt?.getTime()

/** Its owner has given the endpoint another address, null while that is not met: nothing that is known is about it. */
export function moveTo(batch: Batch, provedAt: Date | null): void {
  batch.provedAt = provedAt
  batch.warnedAt = null
  batch.state = freshState(batch.endpoint)
}

/** How many may be sent at this moment. */
export function roomIn(batch: Batch): number {
  const { ratePerSecond } = batch.endpoint
  const at = batch.now().getTime()
  const free = freeIn(batch, at)
  if (ratePerSecond === null) return free
  return at >= batch.paceAt ? Math.min(free, burstSize(ratePerSecond)) : 0
}

/** How many may be sent if there were no rate. */
function freeIn(batch: Batch, at: number): number {
  const { state, inFlight, taken } = batch
  if (!goesOn(batch, at)) return 0
  if (isOpen(state.breaker)) return inFlight.count() === 0 ? 1 : 0
  return Math.max(0, Math.min(state.concurrency - inFlight.count(), MOST_OF_A_BATCH - taken))
}

/** A batch with requests on their way looks up at least so often. */
const LONGEST_PATIENCE_MS = 1_000

/**
 * How long a batch waits for what is on its way before it looks for more: until its rate allows that, `lookMs` when nothing more was
 * there, and a while when there is no room.
 */
export function patienceOf(batch: Batch, lookMs: number): number {
  const at = batch.now().getTime()
  if (freeIn(batch, at) === 0) return LONGEST_PATIENCE_MS
  return Math.max(batch.isDrained ? lookMs : 0, batch.paceAt - at)
}

/**
 * A batch waits so long by itself, for an endpoint's rate or the next page of a replay; for more its workflow waits, whose timers are
 * a second late at times.
 */
export const LONGEST_REST_MS = 1_000

/** How long a batch with nothing on its way waits for what it may send next; undefined when it is over. */
export function restOf(batch: Batch): number | undefined {
  const at = batch.now().getTime()
  if (!goesOn(batch, at)) return undefined
  const rests = [
    batch.isDrained ? Number.POSITIVE_INFINITY : batch.paceAt - at,
    (batch.replayAt?.getTime() ?? Number.POSITIVE_INFINITY) - at,
  ]
  const rest = Math.max(0, Math.min(...rests))
  return rest <= LONGEST_REST_MS ? rest : undefined
}

function goesOn(batch: Batch, at: number): boolean {
  const { signal, failed, status, state } = batch
  const { waitUntil } = state.health
  if (signal.aborted || failed || status !== 'active') return false
  return !isEnough(batch, at) && (waitUntil === null || waitUntil.getTime() <= at)
}

/** A batch that would have to wait for what hangs goes on instead. */
function isEnough({ beganAt, taken, sent, inFlight }: Batch, at: number): boolean {
  const ms = at - beganAt
  if (taken >= MOST_OF_A_BATCH || ms >= LONGEST_BATCH_MS) return true
  const isLong = sent.length >= ENOUGH_OF_A_BATCH || ms >= LONG_BATCH_MS
  return isLong && inFlight.oldestMs() < HANGING_MS
}
