import { Worker } from '@temporalio/worker'
import { createVenueActivities } from '../../activities/index.ts'
import { publicUrlOf } from '../config.ts'
import { countVenueCalls } from '../confirmation/venue-metrics.ts'
import { VENUES_QUEUE } from '../contract/rules/task-queues.ts'
import { createOutbound } from '../platform/http/client.ts'
import { connectorPolicy } from '../platform/http/target.ts'
import { BEAT, type QueueWorker, sharedOptions, type WorkerBase } from './worker-base.ts'

/** Concurrent calls to venues. */
const MOST_CALLS = 500

/** Calls to venues and notices to their staff. */
export async function openVenuesWorker(base: WorkerBase): Promise<QueueWorker> {
  const { config, instruments, db, sealer, log, stopping } = base
  const outbound = createOutbound(connectorPolicy(config))
  const worker = await Worker.create({
    ...sharedOptions(base),
    taskQueue: VENUES_QUEUE,
    activities: createVenueActivities({
      db,
      outbound,
      sealer,
      publicUrl: publicUrlOf(config),
      log,
      stopping,
      count: countVenueCalls(instruments.metrics),
    }),
    maxConcurrentActivityTaskExecutions: MOST_CALLS,
    maxHeartbeatThrottleInterval: BEAT,
  })
  return { worker, close: () => outbound.close() }
}
