import type { Client } from '@temporalio/client'
import { BOOKINGS_QUEUE, VENUES_QUEUE } from '../../bookings/rules/booking-messages.ts'
import { GROUPS_QUEUE } from '../../itineraries/rules/group-messages.ts'
import { WEBHOOKS_QUEUE } from '../../webhooks/rules/webhooks.ts'
import { readTaskQueue, type TaskKind } from './task-queue.ts'

/** The queues of the network, with the kinds of tasks that its workers take from each. */
export const networkQueues: readonly { taskQueue: string; kinds: readonly TaskKind[] }[] = [
  { taskQueue: BOOKINGS_QUEUE, kinds: ['workflow', 'activity'] },
  { taskQueue: VENUES_QUEUE, kinds: ['activity'] },
  { taskQueue: GROUPS_QUEUE, kinds: ['activity'] },
  { taskQueue: WEBHOOKS_QUEUE, kinds: ['activity'] },
]

/** How one half of a queue stands: tasks that wait, the age of the oldest in seconds, and the workers that take from it. */
export type QueueStanding = {
  name: string
  kind: TaskKind
  backlog: number
  oldestSeconds: number
  workers: number
}

/** Every queue of the network as the Temporal server describes it; throws when it does not answer. */
export const readQueues = (client: Client): Promise<QueueStanding[]> =>
  Promise.all(
    networkQueues.flatMap(({ taskQueue, kinds }) =>
      kinds.map(async (kind) => {
        const { backlog, oldestSeconds, pollers } = await readTaskQueue(client, taskQueue, kind)
        return { name: taskQueue, kind, backlog, oldestSeconds, workers: pollers.length }
      }),
    ),
  )
