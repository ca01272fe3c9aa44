import type { AttemptStatus } from './statuses.ts'

/** The argument that starts an endpoint's workflow: readable in the Temporal UI, no secrets. */
export type EndpointStart = { endpointId: string; accountId: string }

/** One workflow per endpoint. */
export const endpointWorkflowId = (endpointId: string): string => `webhook/${endpointId}`

/** Signals report what is in the database. Operators send them by name from the Temporal UI. */
export const DELIVER_SIGNAL = 'deliver'
export const REPLAY_SIGNAL = 'replay'
export const ROTATE_SECRET_SIGNAL = 'rotateSecret'
export const PAUSE_SIGNAL = 'pause'
export const RESUME_SIGNAL = 'resume'

/** Carries ids, never a secret. `abortsRequests`: a signing key in use was revoked. */
export type EndpointSignal =
  | { name: typeof DELIVER_SIGNAL }
  | { name: typeof REPLAY_SIGNAL; replayId: string }
  | { name: typeof ROTATE_SECRET_SIGNAL; keyId: string; abortsRequests: boolean }
  | { name: typeof PAUSE_SIGNAL }
  | { name: typeof RESUME_SIGNAL }

/** Updates that send one delivery, or the challenge, at once and return the outcome. */
export const RETRY_UPDATE = 'retry'
export const VERIFY_UPDATE = 'verify'
/** The failure type of an update that arrives while a run is about to continue as new. */
export const ENDING = 'ending'

/** The outcome of one attempt, without bodies. `failure` is a category, null for a success. */
export type AttemptOutcome = {
  id: string
  status: Exclude<AttemptStatus, 'sending'>
  http_status: number | null
  failure: string | null
  ms: number | null
}

/** `refused`: not sent. `lost`: the sender crashed before reporting. */
export type SentNow =
  | AttemptOutcome
  | { refused: 'deleted' | 'disabled' | 'unproved' | 'busy' | 'no_secret' | 'lost' }

/** Returns what an endpoint's workflow is doing now. */
export const PROGRESS_QUERY = 'progress'
export type DeliveryProgress = {
  phase: 'sending' | 'waiting' | 'holding' | 'failing' | 'ended'
  /** a sentence for operators */
  summary: string
  /** workflow time, ISO 8601 */
  nextAt: string | null
  /** consecutive failures */
  failures: number
  /** the breaker is open: only probes are sent */
  isOpen: boolean
  /** requests at the same time */
  concurrency: number
}
