import { Worker } from '@temporalio/worker'
import { createGroupActivities } from '../../activities/index.ts'
import { GROUPS_QUEUE } from '../contract/rules/task-queues.ts'
import { BEAT, type QueueWorker, sharedOptions, type WorkerBase } from './worker-base.ts'

/** Concurrent waits for bookings of groups; each checks again within 20 s. */
const MOST_WAITS = 1_000

/** Waits for the bookings of groups. */
export async function openGroupsWorker(base: WorkerBase): Promise<QueueWorker> {
  const { db, engine } = base
  const worker = await Worker.create({
    ...sharedOptions(base),
    taskQueue: GROUPS_QUEUE,
    activities: createGroupActivities({ db, engine }),
    maxConcurrentActivityTaskExecutions: MOST_WAITS,
    maxHeartbeatThrottleInterval: BEAT,
  })
  return { worker }
}
