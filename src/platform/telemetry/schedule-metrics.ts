import type { Client } from '@temporalio/client'
import type { Metrics } from './metrics.ts'

const ANSWER_MS = 1_000

/**
 * At every scrape, shows how long ago each schedule last ran successfully; omits schedules that
 * have never succeeded, and all of them if Temporal does not answer within a second.
 */
export function showSchedules(
  { beforeScrape, scheduleAge }: Metrics,
  client: Client,
  workflows: readonly string[],
): () => void {
  const show = async (schedule: string) => {
    const last = await lastGoodRun(client, schedule)
    if (last) scheduleAge.set({ schedule }, (Date.now() - last.getTime()) / 1000)
  }
  return beforeScrape(async () => {
    scheduleAge.reset()
    await client.withDeadline(Date.now() + ANSWER_MS, () => Promise.allSettled(workflows.map(show)))
  })
}

/** Temporal lists the newest run first. */
async function lastGoodRun(client: Client, workflow: string): Promise<Date | undefined> {
  const { executions } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    pageSize: 1,
    query: `WorkflowType = '${workflow}' and ExecutionStatus = 'Completed'`,
  })
  const closedAt = executions[0]?.closeTime
  return closedAt ? new Date(Number(closedAt.seconds) * 1000) : undefined
}
