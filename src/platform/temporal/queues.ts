import type { Client } from '@temporalio/client'
import {
  BOOKINGS_QUEUE,
  GROUPS_QUEUE,
  VENUES_QUEUE,
  WEBHOOKS_QUEUE,
} from '../../contract/rules/task-queues.ts'
import { readTaskQueue, type TaskKind } from './task-queue.ts'

/** The queues of the network, with the kinds of tasks that its workers take from each. */
export const networkQueues: readonly { taskQueue: string; kinds: readonly TaskKind[] }[] = [
  { taskQueue: BOOKINGS_QUEUE, kinds: ['workflow', 'activity'] },
  { taskQueue: VENUES_QUEUE, kinds: ['activity'] },
  { taskQueue: GROUPS_QUEUE, kinds: ['activity'] },
  { taskQueue: WEBHOOKS_QUEUE, kinds: ['activity'] },
]

/** How one half of a queue stands: tasks that wait, the age of the oldest in seconds, and the workers that take from it. */
export type QueueStats = {
  name: string
  kind: TaskKind
  backlog: number
  oldestSeconds: number
  workers: number
}

/** Every queue of the network as the Temporal server describes it; throws when it does not answer. */
export const readQueues = (client: Client): Promise<QueueStats[]> =>
  Promise.all(
    networkQueues.flatMap(({ taskQueue, kinds }) =>
      kinds.map(async (kind) => {
        const { backlog, oldestSeconds, pollers } = await readTaskQueue(client, taskQueue, kind)
        return { name: taskQueue, kind, backlog, oldestSeconds, workers: pollers.length }
      }),
    ),
  )
