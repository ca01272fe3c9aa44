import type { WorkerQueue } from '../base/task-queues.ts'
import { engineOf, type RunConfig } from '../config/config.ts'
import { openPool } from '../platform/database/sql.ts'
import { requireServing } from '../platform/database/usable.ts'
import { createInstruments } from '../platform/telemetry/instruments.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { createNoteResumed } from '../platform/telemetry/pass-metrics.ts'
import { showPool, watchStatements } from '../platform/telemetry/pool-watch.ts'
import { connectEngine } from '../platform/temporal/connect.ts'
import { requireNamespace } from '../platform/temporal/namespace.ts'
import { connectWorkers, installRuntime, runWorkers } from '../platform/temporal/workers.ts'
import { createEndpointNotifier } from '../webhooks/hooks.ts'
import { logMissedNotification } from '../webhooks/steps/webhook-metrics.ts'
import { notifyOnCommit } from '../webhooks/store/outbox.ts'
import { createEngine } from './engine.ts'
import { openSealer } from './open-sealer.ts'
import { openWork } from './parts.ts'
import { openBookingsWorker } from './workers/bookings-worker.ts'
import { openVenuesWorker } from './workers/venues-worker.ts'
import { openWebhooksWorker } from './workers/webhooks-worker.ts'
import type { QueueWorker, WorkerBase } from './workers/worker-base.ts'

const STATEMENT_MS = 15_000

const openers: Record<WorkerQueue, (base: WorkerBase) => Promise<QueueWorker>> = {
  bookings: openBookingsWorker,
  venues: openVenuesWorker,
  webhooks: openWebhooksWorker,
}

/**
 * The workers for the queues in WORKER_QUEUES. `failed` rejects if one stops by itself; `stop`
 * gives running activities 25 s.
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
    pooler: config.DATABASE_POOLER,
  })
  const { address, access } = engineOf(config)
  const client = await connectEngine({ ...engineOf(config), interceptors: tracing.client })
  await requireNamespace(client)
  const connection = await connectWorkers(address, access)
  const types = openWork.flatMap(({ workflows }) => Object.keys(workflows))
  const engine = createEngine(client, { noteResumed: createNoteResumed(log, metrics, types) })
  notifyOnCommit(db, createEndpointNotifier(engine, logMissedNotification(log)))
  await requireServing(db, config, log)
  const sealer = await openSealer(config, db)
  const stop = new AbortController()
  const shared = { config, log, instruments, client, connection, engine, db, sealer }
  const base = { ...shared, stopping: stop.signal }
  const queueWorkers: QueueWorker[] = []
  // In sequence, as workers that run workflows share a bundle, which the first may have to build.
  for (const queue of config.WORKER_QUEUES) queueWorkers.push(await openers[queue](base))
  const workers = runWorkers(queueWorkers.map(({ worker }) => worker))
  const hide = showPool(instruments, 'worker', db)
  return {
    failed: workers.failed,
    async stop() {
      stop.abort()
      await workers.stop()
      await Promise.all(queueWorkers.map(({ close }) => close?.()))
      hide()
      await connection.close()
      await client.connection.close()
      await db.end()
    },
  }
}
