import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { createActivities } from '../activities/index.ts'
import type { RunConfig } from './config.ts'
import { createBookingEngine } from './engine/booking-engine.ts'
import { connectEngine } from './engine/connect.ts'
import { ensureSweepSchedule } from './engine/sweep-schedule.ts'
import { BOOKINGS_QUEUE } from './model/booking-messages.ts'
import { openPool } from './store/sql.ts'
import type { Log } from './telemetry/log.ts'
import { workflowBundle } from './workflow-bundle.ts'

/** The worker of the queue `bookings`. `failed` rejects when it stops by itself; `stop` lets running steps end. */
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
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: BOOKINGS_QUEUE,
    workflowBundle: await workflowBundle(config.DATA_DIR),
    activities: createActivities({
      db,
      engine: createBookingEngine(client),
      log,
      terms: {
        feePct: config.FEE_PCT,
        completionGraceMinutes: config.COMPLETION_GRACE_MINUTES,
      },
    }),
    maxCachedWorkflows: config.WORKFLOW_CACHE,
    shutdownGraceTime: '5s',
    shutdownForceTime: '7s',
  })
  const running = worker.run()
  await ensureSweepSchedule(client)
  return {
    failed: running.then(
      () => new Promise<never>(() => {}),
      (error: unknown) => Promise.reject(error),
    ),
    async stop() {
      if (worker.getState() === 'RUNNING') worker.shutdown()
      await running.catch(() => {})
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
