import type { AttemptSummary, SendOrder } from '../rules/batch-messages.ts'
import type { EndpointStart } from '../rules/endpoint-messages.ts'
import type { EndpointStatus } from '../rules/statuses.ts'
import type { RequestResult } from '../store/attempts.ts'
import type { BatchEndpoint } from '../store/batches.ts'
import type { DeliveryClaim } from '../store/claims.ts'
import { type EndpointSecrets, openSecrets } from './endpoint-secrets.ts'
import { type EndpointState, freshState, initialState } from './endpoint-state.ts'
import { createInFlightSet, type InFlightSet } from './in-flight-set.ts'
import type { SenderDeps } from './send-request.ts'
import { workflowClock } from './workflow-clock.ts'

/** A claimed delivery and its completed request. */
export type CompletedRequest = { claim: DeliveryClaim; exchange: RequestResult }

/**
 * A batch to one endpoint, in rounds (`send-due.ts`): record completed requests (`state`, `status`,
 * `warnedAt`, `provedAt`, `sent`), claim and send (`claimed`, `isDrained`, `paceAt`, `replayAt`),
 * wait.
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
  /** when the URL in use was verified; responses from another URL do not change `state` */
  provedAt: Date | null
  sent: AttemptSummary[]
  /** deliveries claimed so far */
  claimed: number
  /** whether the last claim returned fewer than its limit */
  isDrained: boolean
  /** when a replay's next page is due */
  replayAt: Date | null
  /** workflow time in ms before which nothing is sent to a rate-limited endpoint */
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
  const now = workflowClock(start, order.at)
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

/** Whether a claimed delivery goes to the URL that the batch's state describes. */
export const isSameUrl = ({ provedAt }: Batch, { proved_at }: Pick<DeliveryClaim, 'proved_at'>) =>
  provedAt?.getTime() === proved_at?.getTime()

/** Discards the state of the old URL. `provedAt` is null until a claim shows the new URL. */
export function forgetUrl(batch: Batch, provedAt: Date | null): void {
  batch.provedAt = provedAt
  batch.warnedAt = null
  batch.state = freshState(batch.endpoint)
}
