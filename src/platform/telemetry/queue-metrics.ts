import type { Client } from '@temporalio/client'
import { networkQueues, readTaskQueue } from '../temporal/queues.ts'
import type { Metrics } from './metrics.ts'

const ANSWER_MS = 1_000

/** Reads the queues at every scrape; omits them if Temporal does not answer within a second. */
export function showQueues(
  { beforeScrape, queueBacklog, queueBacklogAge, queuePollers }: Metrics,
  client: Client,
): () => void {
  const show = async ([task_queue, kind]: (typeof networkQueues)[number]) => {
    const { backlog, oldestSeconds, pollers } = await readTaskQueue(client, task_queue, kind)
    queueBacklog.set({ task_queue, kind }, backlog)
    queueBacklogAge.set({ task_queue, kind }, oldestSeconds)
    queuePollers.set({ task_queue, kind }, pollers.length)
  }
  const showAll = () => Promise.allSettled(networkQueues.map(show))
  return beforeScrape(async () => {
    for (const gauge of [queueBacklog, queueBacklogAge, queuePollers]) gauge.reset()
    await client.withDeadline(Date.now() + ANSWER_MS, showAll)
  })
}
