import type { Breaker } from './breaker.ts'
import type { AttemptCause, AttemptStatus, EndpointStatus } from './statuses.ts'

/** The memory of an endpoint's workflow between batches. */
export type Pace = {
  /** null: derive it from the endpoint's row */
  breaker: Breaker | null
  /** requests at the same time */
  concurrency: number
  /** workflow time in ms; a rate-limited endpoint gets nothing before it */
  paceAt: number
  /** when the URL behind this state was verified, in ms */
  provedAt: number | null
}

/** `at` is workflow time. `seed` is the workflow's randomness, for the jitter of next attempts. */
export type SendOrder = Pace & {
  at: number
  seed: number
  /** deliveries waiting for another attempt after the last batch */
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

/** Deliveries in trouble that a report names: as many as fit into a search attribute. */
export const MAX_TROUBLES = 20

/** A failed delivery that waits for another attempt. */
export type Trouble = {
  /** `booking.confirmed #7` */
  event: string
  /** the event's id, which is the `webhook-id` */
  id: string
  booking: string | null
  /** attempts of its schedule so far */
  tries: number
  /** workflow time in ms */
  nextAt: number
  /** `HTTP 500`, or a category */
  outcome: string
}

/** The reason for the wait until the next batch. */
export type WaitReason = 'due' | 'replay' | 'rate' | 'breaker' | 'retry_after' | 'fifo'

/** The results of a batch, and the state of the endpoint after it. */
export type SendReport = Pace & {
  endpoint: EndpointStatus | 'deleted'
  /** its host, for operators; absent once it is deleted */
  host?: string
  /** why it is paused or disabled: `owner`, `operator`, `failing`, … */
  heldBy: string | null
  sent: AttemptSummary[]
  /** the first deliveries in trouble; absent without any */
  troubles?: Trouble[]
  /** deliveries that an earlier batch left open; they are due again */
  recovered: number
  /** workflow time in ms; null when there is nothing to wait for */
  nextAt: number | null
  reason: WaitReason
  /** when the next signing key ends; null when none does */
  keyEndsAt: number | null
}
