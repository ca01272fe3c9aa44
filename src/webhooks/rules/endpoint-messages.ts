import type { OnClock } from '../../base/account-time.ts'
import type { AttemptStatus } from './statuses.ts'

/** The argument that starts an endpoint's workflow. Readable in the Temporal UI; no secrets. */
export type EndpointStart = OnClock & { endpointId: string; accountId: string }

/** Each endpoint has one workflow. */
export const endpointWorkflowId = (endpointId: string): string => `webhook/${endpointId}`

/** The signal that the database has work; can name the first of the new events. */
export const DELIVER_SIGNAL = 'deliver'

/**
 * Signals for actions on an endpoint. The owner's operations act first, then report the action in
 * the signal, with the `id` of its record. An operator sends the signal from the Temporal UI, with
 * `by` and optionally an `id`, and the workflow acts.
 */
export const endpointCommandNames = [
  'replay',
  'rotateSecret',
  'pause',
  'resume',
  'disable',
] as const
export type EndpointCommandName = (typeof endpointCommandNames)[number]

/** The first of several events, as `booking.confirmed #7`, and how many others there are. */
export type EventNames = { events: string[]; more: number }
/** Events, with the time in ms at which they were signalled. */
export type EventNews = EventNames & { at: number }
/** The events that a message names. */
export const MAX_NAMES = 3

/** A signal to an endpoint's workflow. It reports an action and never carries a secret. */
export type EndpointSignal =
  | ({ name: typeof DELIVER_SIGNAL } & Partial<EventNews>)
  | ({ name: EndpointCommandName; id: string } & Record<string, unknown>)

/** A command as received in its signal; `input` has not been validated. */
export type GivenCommand = { name: EndpointCommandName; id: string; input: unknown }

/** The outcome of a command. `revoked`: requests in flight were signed with erased keys. */
export type CommandOutcome = { done: string; revoked?: boolean } | { ignored: string }

/** Updates that send a delivery or the challenge at once and return the outcome. */
export const RETRY_UPDATE = 'retry'
export const VERIFY_UPDATE = 'verify'
/** The failure type for an update that arrives just before a continue-as-new. */
export const ENDING = 'ending'

/** The outcome of an attempt, without bodies. `failure` is a category; null after a success. */
export type AttemptOutcome = {
  id: string
  /** `booking.confirmed #7`; absent for a challenge */
  event?: string
  status: Exclude<AttemptStatus, 'sending'>
  http_status: number | null
  failure: string | null
  ms: number | null
}

/** Why no request was sent, for operators. */
export const notSent = {
  deleted: 'The endpoint is deleted.',
  disabled: 'The endpoint is disabled.',
  unknown: 'The endpoint has no delivery with this id, and none of an event with this id.',
  unproved: 'The URL of the endpoint is not verified.',
  busy: 'It is being sent now.',
  no_secret: 'The endpoint has no signing secret that is valid now.',
  lost: 'The sender stopped before it reported. The attempts of the delivery show what it did.',
} as const

/** `refused`: not sent. */
export type SentNow = AttemptOutcome | { refused: keyof typeof notSent; why?: string }

/** Queries what an endpoint's workflow is doing now. */
export const PROGRESS_QUERY = 'progress'
export type DeliveryProgress = {
  phase: 'sending' | 'waiting' | 'holding' | 'failing' | 'ended'
  /** a sentence for operators */
  summary: string
  /** what the timer is for, if it is a single delivery */
  timer?: string
  /** workflow time, ISO 8601 */
  nextAt: string | null
  /** consecutive failures */
  failures: number
  /** the breaker is open: only probes are sent */
  isOpen: boolean
  /** maximum concurrent requests */
  concurrency: number
}
