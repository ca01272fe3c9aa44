import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'

/** Does what a scheduled workflow does, once, and returns its result. */
export const runOnce = (client: Client, workflow: string): Promise<unknown> =>
  client.workflow.execute(workflow, {
    taskQueue: BOOKINGS_QUEUE,
    workflowId: `${workflow}-${randomUUID()}`,
    args: [{ count: 1, seconds: 0 }],
  })
