import type { Log } from '../platform/telemetry/log.ts'
import { loggable } from '../platform/telemetry/loggable.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { AttemptCause, EndpointStart } from './rules/webhooks.ts'

/** An attempt that has come back: what made it happen, and the status or why there is none. */
export type WebhookAttempt = { cause: AttemptCause; result: string; ms: number }

/** Counts attempts. Of a status only the hundreds are kept, so that the label has few values. */
export const countWebhookAttempts =
  ({ webhookAttempts }: Pick<Metrics, 'webhookAttempts'>) =>
  ({ cause, result, ms }: WebhookAttempt): void =>
    webhookAttempts.observe({ cause, result: result.replace(/^(status \d).*/, '$1xx') }, ms / 1000)

/** For whoever wakes endpoints after a commit, and could not. */
export const logMissedNotification =
  (log: Log) =>
  ({ endpointId }: EndpointStart, error: unknown): void =>
    log.warn(
      { endpoint_id: endpointId, error: loggable(error) },
      'the sweep will tell an endpoint what is due',
    )
