import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import { bookingWorkflowId } from '../../../src/base/ids.ts'
import type { Pool } from '../../../src/platform/database/sql.ts'
import { forEach, type KnownBooking } from './callers.ts'

const { EVENT_TYPE_WORKFLOW_TASK_FAILED } = proto.temporal.api.enums.v1.EventType
const { WorkflowTaskFailedCause } = proto.temporal.api.enums.v1

/** Faults in all bookings that callers know: lost, changed, without a workflow, or stuck. */
export async function findFaults(db: Pool, client: Client, callers: readonly KnownBooking[]) {
  const { rows } = await db.query<{ id: string; status: string }>('select id, status from booking')
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  const faults: string[] = []
  for (const { id, status } of callers) {
    const actual = statuses.get(id) ?? 'lost'
    if (actual !== status)
      faults.push(`booking ${id} is ${actual}, and its caller was told ${status}`)
  }
  if (statuses.size !== callers.length) {
    faults.push(`${statuses.size} bookings are stored, and callers know ${callers.length}`)
  }
  const stuck = await forEach(callers, async ({ id, status }) => {
    const { raw } = await client.workflow.getHandle(bookingWorkflowId(id)).describe()
    const state = raw.workflowExecutionInfo?.status
    const expected = status === 'cancelled' ? COMPLETED : RUNNING
    if (state !== expected)
      throw new Error(`the workflow of ${status} booking ${id} is in ${state}`)
    const tries = raw.pendingWorkflowTask?.attempt ?? 0
    if (tries > 1) throw new Error(`a task of booking ${id} has failed ${tries - 1} times`)
  })
  return [...faults, ...stuck]
}

const {
  WORKFLOW_EXECUTION_STATUS_RUNNING: RUNNING,
  WORKFLOW_EXECUTION_STATUS_COMPLETED: COMPLETED,
} = proto.temporal.api.enums.v1.WorkflowExecutionStatus

/** The number of workflow tasks that failed and were repeated, by cause. */
export async function countFailedTasks(client: Client, callers: readonly KnownBooking[]) {
  const causes = new Map<string, number>()
  await forEach(callers, async ({ id }) => {
    const { events } = await client.workflow.getHandle(bookingWorkflowId(id)).fetchHistory()
    for (const { eventType, workflowTaskFailedEventAttributes: failed } of events ?? []) {
      if (eventType !== EVENT_TYPE_WORKFLOW_TASK_FAILED) continue
      const cause = WorkflowTaskFailedCause[failed?.cause ?? 0] ?? 'unknown'
      causes.set(cause, (causes.get(cause) ?? 0) + 1)
    }
  })
  return causes
}
