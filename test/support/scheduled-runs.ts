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

/** Keeps a schedule from running, so that a test can run it once everything is in place. */
export async function stopSchedule({ schedule, workflow }: Client, id: string): Promise<void> {
  const handle = schedule.getHandle(id)
  await handle.pause()
  await eventually(`the end of the last ${id}`, async () => {
    const { runningActions } = (await handle.describe()).info
    for (const { workflow: run } of runningActions) {
      await workflow.getHandle(run.workflowId).terminate().catch(() => {})
    }
    return runningActions.length === 0
  })
}
