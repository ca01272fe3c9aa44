import type { Client } from '@temporalio/client'
import { readTaskQueue, type TaskKind } from '../temporal/task-queue.ts'
import type { Metrics } from './metrics.ts'

const ANSWER_MS = 1_000

/** A queue and the kinds of tasks that its workers ask for. */
export type ShownQueue = { taskQueue: string; kinds: readonly TaskKind[] }

/** Shows what waits in the queues at every scrape; nothing, when the Temporal server does not answer within a second. */
export function showQueues(
  { beforeScrape, queueBacklog, queueBacklogAge, queuePollers }: Metrics,
  client: Client,
  queues: readonly ShownQueue[],
): () => void {
  const show = async (task_queue: string, kind: TaskKind) => {
    const state = await readTaskQueue(client, task_queue, kind)
    queueBacklog.set({ task_queue, kind }, state.backlog)
    queueBacklogAge.set({ task_queue, kind }, state.oldestSeconds)
    queuePollers.set({ task_queue, kind }, state.pollers.length)
  }
  const showAll = () =>
    Promise.allSettled(
      queues.flatMap(({ taskQueue, kinds }) => kinds.map((kind) => show(taskQueue, kind))),
    )
  return beforeScrape(async () => {
    for (const gauge of [queueBacklog, queueBacklogAge, queuePollers]) gauge.reset()
    await client.withDeadline(Date.now() + ANSWER_MS, showAll)
  })
}
