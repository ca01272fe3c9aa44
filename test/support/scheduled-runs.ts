import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import { eventually } from './programs.ts'

/** Does what a scheduled workflow does, once, and returns its result. */
export const runOnce = (client: Client, workflow: string): Promise<unknown> =>
  client.workflow.execute(workflow, {
    taskQueue: BOOKINGS_QUEUE,
    workflowId: `${workflow}-${randomUUID()}`,
    args: [{ count: 1, seconds: 0 }],
  })

/**
 * Removes a schedule that starts immediately, and its run, so that a test can do the schedule's
 * work once everything is in place.
 */
export async function endSchedule({ schedule, workflow }: Client, id: string): Promise<void> {
  const handle = schedule.getHandle(id)
  // Before the first run, the list would be empty.
  const [begun] = await eventually(`the first ${id}`, async () => {
    const { recentActions } = (await handle.describe()).info
    return recentActions.length > 0 && recentActions
  })
  await handle.delete()
  const first = begun?.action.workflow.workflowId ?? ''
  await workflow
    .getHandle(first)
    .terminate()
    .catch(() => {})
  await eventually(`the end of the last ${id}`, async () => {
    const query = `WorkflowType = '${id}' and ExecutionStatus = 'Running'`
    let running = 0
    for await (const { workflowId } of workflow.list({ query })) {
      running += 1
      // The run can end on its own in the meantime.
      await workflow
        .getHandle(workflowId)
        .terminate()
        .catch(() => {})
    }
    return running === 0
  })
}
