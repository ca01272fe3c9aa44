const HOUR_MS = 3_600_000

/** Every type of event that there is; endpoints choose among them. */
export const eventTypes = [
  'booking.held',
  'booking.pending',
  'booking.offered',
  'booking.confirmed',
  'booking.declined',
  'booking.expired',
  'booking.released',
  'booking.amended',
  'booking.cancelled',
  'booking.reminder',
  'booking.completed',
  'booking.no_show',
  'booking.failed',
  'fee.accrued',
  'fee.reversed',
  'venue.availability_opened',
  'endpoint.failing',
  'endpoint.disabled',
  'endpoint.test',
] as const
export type EventType = (typeof eventTypes)[number]

/** What an endpoint can ask for: everything, a type, or all types of a subject. */
export const eventFilters: readonly string[] = [
  '*',
  ...new Set(eventTypes.map((type) => `${type.split('.')[0]}.*`)),
  ...eventTypes,
]

/** `unverified`: it has to prove itself. Only an active one is sent anything; the others hold what comes. */
export const endpointStatuses = ['unverified', 'active', 'paused', 'disabled'] as const
export type EndpointStatus = (typeof endpointStatuses)[number]

/** As stored; what is pending at an endpoint that is not active is shown as `held`. */
export const deliveryStatuses = [
  'pending',
  'sending',
  'delivered',
  'failed',
  'discarded',
  'expired',
] as const
export const shownDeliveryStatuses = [...deliveryStatuses, 'held'] as const
export type ShownDeliveryStatus = (typeof shownDeliveryStatuses)[number]

/** `unknown`: whoever sent it did not live to learn what became of it. */
export const attemptStatuses = ['sending', 'succeeded', 'failed', 'unknown'] as const
export type AttemptStatus = (typeof attemptStatuses)[number]

/** What made an attempt happen. */
export const attemptCauses = ['schedule', 'probe', 'replay', 'retry', 'test', 'challenge'] as const
export type AttemptCause = (typeof attemptCauses)[number]

export const replayStatuses = ['running', 'paused', 'cancelled', 'completed'] as const
export type ReplayStatus = (typeof replayStatuses)[number]

/** A delivery fails when it has not arrived this long after it was put up. */
export const GIVE_UP_MS = 90 * HOUR_MS

/** Endpoints of an account. */
export const MOST_ENDPOINTS = 50

/** Secrets of an endpoint that sign at the same time. */
export const MOST_SIGNING_KEYS = 10

/** Where a signing key stands: `expiring` ones sign beside the current one until their end. */
export const signingKeyStates = ['staged', 'current', 'expiring'] as const

/** Everything the workflow of an endpoint is started with: readable in the Temporal UI, no secrets. */
export type EndpointStart = { endpointId: string; accountId: string }

/** One workflow per endpoint, readable in the Temporal UI. */
export const endpointWorkflowId = (endpointId: string): string => `webhook/${endpointId}`

/** What is written down already when these are sent. The names are those of an operator's commands in the Temporal UI too. */
export const DELIVER_SIGNAL = 'deliver'
export const REPLAY_SIGNAL = 'replay'
export const ROTATE_SECRET_SIGNAL = 'rotateSecret'
export const PAUSE_SIGNAL = 'pause'
export const RESUME_SIGNAL = 'resume'

/**
 * A signal to an endpoint's workflow; ids only, never a secret. `abortsRequests`: what is being sent at this moment is called off, since the
 * keys that sign it are no longer to be used.
 */
export type EndpointSignal =
  | { name: typeof DELIVER_SIGNAL }
  | { name: typeof REPLAY_SIGNAL; replayId: string }
  | { name: typeof ROTATE_SECRET_SIGNAL; keyId: string; abortsRequests: boolean }
  | { name: typeof PAUSE_SIGNAL }
  | { name: typeof RESUME_SIGNAL }

/** Sends one delivery, or the challenge, now and answers what came of it. */
export const RETRY_UPDATE = 'retry'
export const VERIFY_UPDATE = 'verify'
/** Why an update is rejected: the run is about to end, and the next one takes it. */
export const ENDING = 'ending'

/** What came of one attempt, without bodies; `failure` is a category, null for a success. */
export type AttemptOutcome = {
  attemptId: string
  status: Exclude<AttemptStatus, 'sending'>
  httpStatus: number | null
  failure: string | null
  ms: number | null
}

/**
 * What a retry or a challenge led to; `refused` when it was not sent at all, or, with `lost`, when whoever sent it did not live to tell.
 */
export type SentNow =
  | AttemptOutcome
  | { refused: 'deleted' | 'disabled' | 'unproved' | 'busy' | 'no_secret' | 'lost' }

/** What an endpoint's workflow is phase, as the query answers it. Times are ISO texts of workflow time. */
export const PROGRESS_QUERY = 'progress'
export type DeliveryProgress = {
  phase: 'sending' | 'waiting' | 'holding' | 'failing' | 'ended'
  /** in words */
  summary: string
  nextAt: string | null
  /** failures in a row, and whether only probes are sent because of them */
  failures: number
  isOpen: boolean
  /** requests at the same time */
  concurrency: number
}
