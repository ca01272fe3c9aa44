import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { createActivities, createVenueActivities } from '../activities/index.ts'
import { publicUrlOf, type RunConfig } from './config.ts'
import { createBookingEngine } from './engine/booking-engine.ts'
import { connectEngine } from './engine/connect.ts'
import { ensureSchedules } from './engine/schedules.ts'
import { secretsKeys } from './local/secrets-key.ts'
import { BOOKINGS_QUEUE, VENUES_QUEUE } from './model/booking-messages.ts'
import { createOutbound } from './outbound/client.ts'
import { outboundPolicy } from './outbound/policy.ts'
import { createSealer } from './outbound/sealing.ts'
import { openPool } from './store/sql.ts'
import type { Log } from './telemetry/log.ts'
import { workflowBundle } from './workflow-bundle.ts'

/** Calls to venues at the same time, each of which may wait for its answer. */
const MOST_CALLS = 500

/** The workers of the queues `bookings` and `venues`. `failed` rejects when it stops by itself; `stop` lets running steps end. */
export async function startWorker(
  config: RunConfig,
  log: Log,
): Promise<{ failed: Promise<never>; stop(): Promise<void> }> {
  installRuntime(log)
  const db = openPool(config.DATABASE_URL, config.DATABASE_POOL, (error) =>
    log.error({ err: error }, 'lost an idle database connection'),
  )
  const address = config.TEMPORAL_ADDRESS
  const namespace = config.TEMPORAL_NAMESPACE
  const client = await connectEngine({ address, namespace })
  const connection = await NativeConnection.connect({ address })
  const shared = { connection, namespace, shutdownGraceTime: '5s', shutdownForceTime: '7s' }
  const bookings = await Worker.create({
    ...shared,
    taskQueue: BOOKINGS_QUEUE,
    workflowBundle: await workflowBundle(config.DATA_DIR),
    activities: createActivities({
      db,
      engine: createBookingEngine(client),
      log,
      terms: {
        feePct: config.FEE_PCT,
        completionGraceMinutes: config.COMPLETION_GRACE_MINUTES,
        venueAnswerMinutes: config.VENUE_ANSWER_MINUTES,
      },
    }),
    maxCachedWorkflows: config.WORKFLOW_CACHE,
  })
  const outbound = createOutbound(outboundPolicy(config))
  const venues = await Worker.create({
    ...shared,
    taskQueue: VENUES_QUEUE,
    activities: createVenueActivities({
      db,
      outbound,
      sealer: createSealer(secretsKeys(config)),
      publicUrl: publicUrlOf(config),
      log,
    }),
    maxConcurrentActivityTaskExecutions: MOST_CALLS,
  })
  const workers = [bookings, venues]
  const running = Promise.all(workers.map((worker) => worker.run()))
  await ensureSchedules(client)
  return {
    failed: running.then(
      () => new Promise<never>(() => {}),
      (error: unknown) => Promise.reject(error),
    ),
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
      await running.catch(() => {})
      await outbound.close()
      await connection.close()
      await client.connection.close()
      await db.end()
    },
  }
}

let runtimeInstalled = false

/** Once per process: signals are handled in one place, by whoever composed the process. */
function installRuntime(log: Log): void {
  if (runtimeInstalled) return
  runtimeInstalled = true
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      log[level === 'ERROR' ? 'error' : 'warn']({ temporal: meta }, message)
    }),
  })
}
