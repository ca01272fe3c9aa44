import { type Log, loggable } from '../platform/telemetry/log.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { EndpointStart } from './rules/endpoint-messages.ts'
import type { AttemptCause } from './rules/statuses.ts'

/** A completed attempt: its cause, and its status or why there is none. */
export type WebhookAttempt = { cause: AttemptCause; result: string; ms: number }

/** Counts attempts by class of status, so that the label has few values. */
export const countWebhookAttempts =
  ({ webhookAttempts }: Pick<Metrics, 'webhookAttempts'>) =>
  ({ cause, result, ms }: WebhookAttempt): void =>
    webhookAttempts.observe({ cause, result: result.replace(/^(status \d).*/, '$1xx') }, ms / 1000)

/** Logs that an endpoint could not be notified after a commit. */
export const logMissedNotification =
  (log: Log) =>
  ({ endpointId }: EndpointStart, error: unknown): void =>
    log.warn(
      { endpoint_id: endpointId, error: loggable(error) },
      'an endpoint could not be notified; the sweep will signal it',
    )
