import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { BOOKINGS_QUEUE } from '../../src/contract/rules/task-queues.ts'
import { eventually } from './programs.ts'

/** Does once what a scheduled workflow does, and returns its result. */
export const runOnce = (client: Client, workflow: string): Promise<unknown> =>
  client.workflow.execute(workflow, {
    taskQueue: BOOKINGS_QUEUE,
    workflowId: `${workflow}-${randomUUID()}`,
    args: [{ count: 1, seconds: 0 }],
  })

/** Removes a schedule and its run, so that a test can do its work once everything is in place. */
export async function endSchedule({ schedule, workflow }: Client, id: string): Promise<void> {
  await schedule.getHandle(id).delete()
  await eventually(`the end of the last ${id}`, async () => {
    const query = `WorkflowType = '${id}' and ExecutionStatus = 'Running'`
    let running = 0
    for await (const { workflowId } of workflow.list({ query })) {
      running += 1
      // It may end by itself meanwhile.
      await workflow
        .getHandle(workflowId)
        .terminate()
        .catch(() => {})
    }
    return running === 0
  })
}
