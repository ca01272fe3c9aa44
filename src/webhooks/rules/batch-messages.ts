import type { Breaker } from './breaker.ts'
import type { AttemptCause, AttemptStatus, EndpointStatus } from './statuses.ts'

/** What an endpoint's workflow remembers between batches. */
export type Pace = {
  /** null: derive it from the endpoint's row */
  breaker: Breaker | null
  /** maximum concurrent requests */
  concurrency: number
  /** workflow time in ms before which nothing is sent to a rate-limited endpoint */
  paceAt: number
  /** when the URL that this state describes was verified, in ms */
  provedAt: number | null
}

/** `at` is workflow time. `seed` is the workflow's random seed, for the jitter of next attempts. */
export type SendOrder = Pace & {
  at: number
  seed: number
  /** deliveries awaiting another attempt after the last batch */
  inTrouble?: number
}

/** One attempt in the workflow's history. */
export type AttemptSummary = {
  /** `booking.confirmed #7` */
  event: string
  attempt: number
  cause: AttemptCause
  status: Exclude<AttemptStatus, 'sending'>
  http?: number
  /** a category */
  failure?: string
  ms?: number
  /** the delivery's id, for a failure */
  delivery?: string
}

/** Maximum deliveries in trouble that a report names: as many as fit into a search attribute. */
export const MAX_TROUBLES = 20

/** A failed delivery awaiting another attempt. */
export type Trouble = {
  /** `booking.confirmed #7` */
  event: string
  /** the event's id, which is the `webhook-id` */
  id: string
  booking: string | null
  /** attempts so far in its schedule */
  tries: number
  /** workflow time in ms */
  nextAt: number
  /** `HTTP 500`, or a category */
  outcome: string
}

/** Why the workflow waits before its next batch. */
export type WaitReason = 'due' | 'replay' | 'rate' | 'breaker' | 'retry_after' | 'fifo'

/** The results of a batch, and the state of the endpoint after it. */
export type SendReport = Pace & {
  endpoint: EndpointStatus | 'deleted'
  /** the endpoint's host, for operators; absent once it is deleted */
  host?: string
  /** why the endpoint is paused or disabled, such as `owner`, `operator` or `failing` */
  heldBy: string | null
  sent: AttemptSummary[]
  /** the first deliveries in trouble; absent if there are none */
  troubles?: Trouble[]
  /** deliveries left open by an earlier batch and now due again */
  recovered: number
  /** workflow time in ms; null when there is nothing to wait for */
  nextAt: number | null
  reason: WaitReason
  /** when the next signing key expires; null if none does */
  keyEndsAt: number | null
}
