import type { Db } from '../../platform/database/sql.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { withinScrape } from '../../platform/telemetry/within-scrape.ts'
import type { EndpointStart } from '../rules/endpoint-messages.ts'
import type { AttemptCause } from '../rules/statuses.ts'
import { countEndpointStates } from '../store/endpoint-troubles.ts'
import { readLateDeliveries } from '../store/waiting-endpoints.ts'

/**
 * A completed attempt: its cause, and its status or failure. `lagMs`: a first attempt's delay, if
 * only we are to blame.
 */
export type WebhookAttempt = {
  cause: AttemptCause
  result: string
  ms: number
  lagMs?: number | undefined
}

/** Counts attempts by status class, to keep the label's values few. */
export const countWebhookAttempts =
  ({ webhookAttempts, firstAttemptLag }: Pick<Metrics, 'webhookAttempts' | 'firstAttemptLag'>) =>
  ({ cause, result, ms, lagMs }: WebhookAttempt): void => {
    webhookAttempts.observe({ cause, result: result.replace(/^(status \d).*/, '$1xx') }, ms / 1000)
    if (lagMs !== undefined) firstAttemptLag.observe(Math.max(0, lagMs) / 1000)
  }

/** Shows overdue deliveries at every scrape, unless the query takes over a second. */
export const showDeliveries = (
  { beforeScrape, dueDeliveries, oldestDue, endpoints }: Metrics,
  db: Db,
): (() => void) =>
  beforeScrape(async () => {
    endpoints.reset()
    for (const gauge of [dueDeliveries, oldestDue]) gauge.remove()
    const queries = Promise.all([readLateDeliveries(db, new Date()), countEndpointStates(db, null)])
    const figures = await withinScrape(queries)
    if (!figures) return
    const [late, { all: _, ...states }] = figures
    dueDeliveries.set(late.deliveries)
    oldestDue.set((late.oldest_ms ?? 0) / 1000)
    for (const [state, count] of Object.entries(states)) endpoints.set({ state }, count)
  })

/** Logs that an endpoint could not be notified after a commit. */
export const logMissedNotification =
  (log: Log) =>
  ({ endpointId }: EndpointStart, error: unknown): void =>
    log.warn(
      { endpoint_id: endpointId, error: loggable(error) },
      'an endpoint could not be notified; the sweep will signal it',
    )
