import type { AttemptSummary, SendOrder } from '../rules/batch-messages.ts'
import type { EndpointStart } from '../rules/endpoint-messages.ts'
import type { EndpointStatus } from '../rules/statuses.ts'
import type { BatchEndpoint } from '../store/batches.ts'
import type { DeliveryClaim } from '../store/claims.ts'
import { type EndpointSecrets, openSecrets } from './endpoint-secrets.ts'
import { type EndpointState, freshState, initialState } from './endpoint-state.ts'
import { createInFlightSet, type InFlightSet } from './in-flight-set.ts'
import type { SenderDeps, Sent } from './send-request.ts'
import { workflowClock } from './workflow-clock.ts'

/** A claimed delivery whose request has completed. */
export type CompletedRequest = { claim: DeliveryClaim; sent: Sent }

/**
 * One batch of requests to one endpoint. It repeats three steps (`send-due.ts`), each of which
 * changes some of these fields:
 *
 * 1. Record what has completed: `state`, `status`, `warnedAt`, `provedAt`, `sent`.
 * 2. Claim due deliveries, as many as `claimLimit` allows, and send them: `claimed`, `isDrained`,
 *    `paceAt`, `replayAt`.
 * 3. Wait for completions or, with nothing in flight, until more may be sent.
 *
 * It ends when nothing may be sent within a second, when it has done enough, and when it was
 * aborted or has `failed`.
 */
export type Batch = {
  readonly deps: SenderDeps
  readonly start: EndpointStart
  readonly endpoint: BatchEndpoint
  readonly secrets: EndpointSecrets
  readonly inFlight: InFlightSet<CompletedRequest>
  readonly seed: number
  readonly signal: AbortSignal
  abortRequests(): void
  readonly beganAt: number
  now(): Date
  status: EndpointStatus
  state: EndpointState
  warnedAt: Date | null
  /**
   * when the URL that is sent to was verified; responses of another URL are recorded, not learnt
   * from
   */
  provedAt: Date | null
  sent: AttemptSummary[]
  /** deliveries claimed so far */
  claimed: number
  /** the last claim found fewer deliveries than it might have taken */
  isDrained: boolean
  /** when the next page of a replay may be taken */
  replayAt: Date | null
  /** workflow time in ms; a rate-limited endpoint gets nothing before it */
  paceAt: number
  failed: { error: unknown } | undefined
}

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
    abortRequests: () => own.abort(),
    beganAt: now().getTime(),
    now,
    status: endpoint.status,
    state: initialState(endpoint, order),
    warnedAt: endpoint.warned_at,
    provedAt: endpoint.proved_at,
    sent: [],
    claimed: 0,
    isDrained: false,
    replayAt: endpoint.replay_at,
    paceAt: order.paceAt,
    failed: undefined,
  }
}

/** Whether a claim goes to the URL that the batch has learnt about. */
export const isSameUrl = (
  { provedAt }: Batch,
  { proved_at }: Pick<DeliveryClaim, 'proved_at'>,
): boolean => provedAt?.getTime() === proved_at?.getTime()

/**
 * The owner has changed the URL: forget what was learnt. `provedAt` is null until a claim shows the
 * new one.
 */
export function forgetUrl(batch: Batch, provedAt: Date | null): void {
  batch.provedAt = provedAt
  batch.warnedAt = null
  batch.state = freshState(batch.endpoint)
}
