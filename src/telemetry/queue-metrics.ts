import type { Client } from '@temporalio/client'
import { readTaskQueue } from '../engine/task-queue.ts'
import type { Metrics } from './metrics.ts'

const ANSWER_MS = 1_000

/** Shows what waits in the queues at every scrape; nothing, when the Temporal server does not answer within a second. */
export function showQueues(
  { beforeScrape, queueBacklog, queueBacklogAge, queuePollers }: Metrics,
  client: Client,
  queues: readonly string[],
): () => void {
  const show = async (task_queue: string, kind: 'workflow' | 'activity') => {
    const state = await readTaskQueue(client, task_queue, kind)
    queueBacklog.set({ task_queue, kind }, state.backlog)
    queueBacklogAge.set({ task_queue, kind }, state.oldestSeconds)
    queuePollers.set({ task_queue, kind }, state.pollers)
  }
  return beforeScrape(async () => {
    for (const gauge of [queueBacklog, queueBacklogAge, queuePollers]) gauge.reset()
    await client.withDeadline(Date.now() + ANSWER_MS, () =>
      Promise.allSettled(
        queues.flatMap((queue) => [show(queue, 'workflow'), show(queue, 'activity')]),
      ),
    )
  })
}
