import type { Breaker } from './breaker.ts'
import { LONGEST_DELAY_MS } from './retry-schedule.ts'
import type { AttemptCause, AttemptStatus, EndpointStatus } from './webhooks.ts'

/** Finished attempts of one batch, and how long it goes on taking new ones; then it answers, so that its history can be read while it goes on. */
export const ENOUGH_OF_A_BATCH = 200
export const LONG_BATCH_MS = 10_000

/** A request that is under way for so long is not waited for: its batch goes on beside it, up to the most attempts and the longest time. */
export const HANGING_MS = 1_000
export const MOST_OF_A_BATCH = 500
export const LONGEST_BATCH_MS = 40_000

/** What an endpoint's workflow keeps from one batch to the next; null where the database knows. */
export type Pace = {
  breaker: Breaker | null
  /** requests at the same time */
  concurrency: number
  /** workflow time, ms since the epoch, before which an endpoint with a rate gets nothing */
  paceAt: number
  /** when the address that this was learnt of proved itself, ms since the epoch */
  provedAt: number | null
}

/** `at` is workflow time, `seed` of the workflow's own randomness: it concurrency the next tries within their jitter. */
export type SendOrder = Pace & { at: number; seed: number }

/** One attempt as the history of the workflow shows it. */
export type SentLine = {
  delivery: string
  attempt: number
  cause: AttemptCause
  status: Exclude<AttemptStatus, 'sending'>
  http?: number
  /** a category */
  failure?: string
  ms?: number
}

/** What the next batch waits for. */
export type WaitReason = 'due' | 'replay' | 'rate' | 'breaker' | 'retry_after' | 'fifo'

/** What a batch did and where the endpoint stands after it. */
export type SendReport = Pace & {
  endpoint: EndpointStatus | 'deleted'
  sent: SentLine[]
  /** attempts that nobody lived to learn of: they are due again */
  recovered: number
  /** workflow time, ms since the epoch; null when there is nothing to wait for */
  nextAt: number | null
  reason: WaitReason
  /** when the next key of the endpoint ends; null when none does */
  keyEndsAt: number | null
}

/** An endpoint that only fails is disabled after this long; its owner is warned at half of it, and has the other half from then on. */
export const DISABLED_AFTER_MS = 5 * 24 * 3_600_000
export const WARNED_AFTER_MS = DISABLED_AFTER_MS / 2
/** Failures further apart than any try is from the next say nothing about the time between them. */
export const FAILING_GAP_MS = LONGEST_DELAY_MS + 3_600_000
