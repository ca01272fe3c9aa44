import { NativeConnection, Worker } from '@temporalio/worker'
import {
  createActivities,
  createGroupActivities,
  createVenueActivities,
  createWebhookActivities,
} from '../activities/index.ts'
import { bookingDeps, termsOf } from './booking-deps.ts'
import { engineOf, publicUrlOf, type RunConfig } from './config.ts'
import { countVenueCalls } from './confirmation/venue-metrics.ts'
import type { Engine } from './contract/operation.ts'
import {
  BOOKINGS_QUEUE,
  GROUPS_QUEUE,
  VENUES_QUEUE,
  WEBHOOKS_QUEUE,
} from './contract/rules/task-queues.ts'
import { createEngine } from './engine.ts'
import { openSealer } from './open-sealer.ts'
import { warnOfSchemaRole } from './platform/database/role.ts'
import { openPool } from './platform/database/sql.ts'
import { createOutbound } from './platform/http/client.ts'
import { connectorPolicy, subscriberPolicy } from './platform/http/target.ts'
import { watchActivities } from './platform/telemetry/activity-watch.ts'
import { createInstruments } from './platform/telemetry/instruments.ts'
import type { Log } from './platform/telemetry/log.ts'
import type { Metrics } from './platform/telemetry/metrics.ts'
import { showPool, watchStatements } from './platform/telemetry/pool-watch.ts'
import { connectEngine } from './platform/temporal/connect.ts'
import { requireNamespace } from './platform/temporal/namespace.ts'
import { installRuntime, runWorkers, shutdownGrace } from './platform/temporal/workers.ts'
import { workflowBundle } from './platform/temporal/workflow-bundle.ts'
import { createEndpointNotifier } from './webhooks/endpoint-notifier.ts'
import { batchSettings } from './webhooks/store/batches.ts'
import { notifyOnCommit } from './webhooks/store/outbox.ts'
import { countWebhookAttempts, logMissedNotification } from './webhooks/webhook-metrics.ts'

/** Concurrent calls to venues. */
const MOST_CALLS = 500
/** Concurrent waits for bookings of groups; each checks again within 20 s. */
const MOST_GROUP_WAITS = 1_000
/** Concurrent endpoints; a batch to a slow one takes half a minute. */
const MOST_BATCHES = 2_000
/** How often a heartbeat is sent at most; it is missed after 10 s (workflows). */
const BEAT = '2s'
/** Long, because without a connection the result of a batch would be lost. */
const BATCH_PATIENCE_MS = 30_000
const STATEMENT_MS = 15_000
const BATCH_STATEMENT_MS = 30_000

/**
 * The workers of all queues. `failed` rejects when one stops by itself; `stop` gives running
 * activities 25 s.
 */
export async function startWorker(
  config: RunConfig,
  log: Log,
  instruments = createInstruments(),
): Promise<{ failed: Promise<never>; stop(): Promise<void> }> {
  const { metrics, tracing } = instruments
  installRuntime(log, metrics)
  const onLost = (error: Error) => log.error({ err: error }, 'lost an idle database connection')
  const watch = watchStatements(instruments, 'worker', Number.POSITIVE_INFINITY)
  const db = openPool(config.DATABASE_URL, config.DATABASE_POOL, onLost, watch, {
    statementMs: STATEMENT_MS,
  })
  // Batches have their own connections, so that a thousand of them cannot delay a booking.
  const batches = openPool(
    config.DATABASE_URL,
    config.DATABASE_POOL,
    onLost,
    watchStatements(instruments, 'webhooks', Number.POSITIVE_INFINITY),
    { patienceMs: BATCH_PATIENCE_MS, statementMs: BATCH_STATEMENT_MS, settings: batchSettings },
  )
  const { address, namespace, access } = engineOf(config)
  const client = await connectEngine({ ...engineOf(config), interceptors: tracing.client })
  await requireNamespace(client)
  const connection = await NativeConnection.connect({ address, ...access })
  const shared = { connection, namespace, sinks: tracing.worker.sinks, ...shutdownGrace }
  const interceptors = {
    activity: [...tracing.worker.activity, watchActivities(log, metrics)],
  }
  const engine = countResumed(createEngine(client), metrics)
  const wake = createEndpointNotifier(engine, logMissedNotification(log))
  for (const pool of [db, batches]) notifyOnCommit(pool, wake)
  const bookings = await Worker.create({
    ...shared,
    taskQueue: BOOKINGS_QUEUE,
    workflowBundle: await workflowBundle(config.DATA_DIR, tracing.on),
    activities: createActivities({
      db,
      engine,
      log,
      steps: bookingDeps(termsOf(config), engine, log),
      webhookRetentionDays: config.WEBHOOK_RETENTION_DAYS,
      proMonthlyUsd: config.PRO_MONTHLY_USD,
    }),
    interceptors,
    maxCachedWorkflows: config.WORKFLOW_CACHE,
    stickyQueueScheduleToStartTimeout: config.WORKFLOW_STICKY_SECONDS * 1000,
  })
  const outbound = createOutbound(connectorPolicy(config))
  // Subscribers have their own sockets, so that slow ones cannot delay calls to venues.
  const subscribers = createOutbound(subscriberPolicy(config))
  if (config.NODE_ENV === 'production') await warnOfSchemaRole(db, log)
  const sealer = await openSealer(config, db)
  const venues = await Worker.create({
    ...shared,
    taskQueue: VENUES_QUEUE,
    activities: createVenueActivities({
      db,
      outbound,
      sealer,
      publicUrl: publicUrlOf(config),
      log,
      count: countVenueCalls(metrics),
    }),
    interceptors,
    maxConcurrentActivityTaskExecutions: MOST_CALLS,
    maxHeartbeatThrottleInterval: BEAT,
  })
  const groups = await Worker.create({
    ...shared,
    taskQueue: GROUPS_QUEUE,
    activities: createGroupActivities({ db, engine }),
    interceptors,
    maxConcurrentActivityTaskExecutions: MOST_GROUP_WAITS,
    maxHeartbeatThrottleInterval: BEAT,
  })
  const webhooks = await Worker.create({
    ...shared,
    taskQueue: WEBHOOKS_QUEUE,
    activities: createWebhookActivities({
      db: batches,
      outbound: subscribers,
      sealer,
      log,
      count: countWebhookAttempts(metrics),
      heldDays: config.WEBHOOK_HELD_DAYS,
    }),
    interceptors,
    maxConcurrentActivityTaskExecutions: MOST_BATCHES,
    // How soon a cancelled batch notices. Each heartbeat is a write in Temporal.
    maxHeartbeatThrottleInterval: '5s',
  })
  const workers = runWorkers([bookings, venues, groups, webhooks])
  const hidden = [showPool(instruments, 'worker', db), showPool(instruments, 'webhooks', batches)]
  return {
    failed: workers.failed,
    async stop() {
      await workers.stop()
      await Promise.all([outbound.close(), subscribers.close()])
      for (const hide of hidden) hide()
      await connection.close()
      await client.connection.close()
      await Promise.all([db.end(), batches.end()])
    },
  }
}

const countResumed = (engine: Engine, { resumedBookings }: Metrics): Engine => ({
  ...engine,
  async resume(start) {
    const resumed = await engine.resume(start)
    if (resumed) resumedBookings.inc()
    return resumed
  },
})
