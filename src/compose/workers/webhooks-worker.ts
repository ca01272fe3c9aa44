import { Worker } from '@temporalio/worker'
import { WEBHOOKS_QUEUE } from '../../base/task-queues.ts'
import { openPool } from '../../platform/database/sql.ts'
import { createOutbound } from '../../platform/http/client.ts'
import { subscriberPolicy } from '../../platform/http/target.ts'
import { showPool, watchStatements } from '../../platform/telemetry/pool-watch.ts'
import { workflowBundle } from '../../platform/temporal/workflow-bundle.ts'
import { createEndpointNotifier } from '../../webhooks/hooks.ts'
import {
  countWebhookAttempts,
  logMissedNotification,
} from '../../webhooks/steps/webhook-metrics.ts'
import { batchSettings } from '../../webhooks/store/batches.ts'
import { notifyOnCommit } from '../../webhooks/store/outbox.ts'
import { activitiesOf } from '../parts.ts'
import { type QueueWorker, sharedOptions, type WorkerBase, workflowOptions } from './worker-base.ts'

/** Maximum endpoints served concurrently; a batch to a slow one takes half a minute. */
const MAX_BATCHES = 2_000
/** Long, because a batch that got no connection would lose its result. */
const TIMEOUT_MS = 30_000
const STATEMENT_MS = 30_000
/** How soon a batch notices that it was cancelled. Each heartbeat is a write in Temporal. */
const BEAT = '5s'

/**
 * Deliveries have their own connections and sockets, so that a thousand of them delay neither
 * bookings nor calls to venues.
 */
export async function openWebhooksWorker(base: WorkerBase): Promise<QueueWorker> {
  const { config, instruments, log, sealer, engine } = base
  const db = openPool(
    config.DATABASE_URL,
    config.DATABASE_POOL,
    (error) => log.error({ err: error }, 'lost an idle database connection'),
    watchStatements(instruments, 'webhooks', Number.POSITIVE_INFINITY),
    {
      patienceMs: TIMEOUT_MS,
      statementMs: STATEMENT_MS,
      settings: batchSettings,
      pooler: config.DATABASE_POOLER,
    },
  )
  notifyOnCommit(db, createEndpointNotifier(engine, logMissedNotification(log)))
  const outbound = createOutbound(subscriberPolicy(config))
  const worker = await Worker.create({
    ...sharedOptions(base),
    ...workflowOptions(base),
    taskQueue: WEBHOOKS_QUEUE,
    workflowBundle: await workflowBundle(config.DATA_DIR, instruments.tracing.on),
    activities: await activitiesOf('webhooks', {
      db,
      outbound,
      sealer,
      log,
      count: countWebhookAttempts(instruments.metrics),
      heldDays: config.WEBHOOK_HELD_DAYS,
    }),
    maxConcurrentActivityTaskExecutions: MAX_BATCHES,
    maxHeartbeatThrottleInterval: BEAT,
  })
  const hide = showPool(instruments, 'webhooks', db)
  return {
    worker,
    async close() {
      hide()
      await outbound.close()
      await db.end()
    },
  }
}
