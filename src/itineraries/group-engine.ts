import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import { BOOKINGS_QUEUE } from '../contract/rules/task-queues.ts'
import { createUpdates, START_TIMEOUT_MS, unavailable } from '../platform/temporal/updates.ts'
import {
  CANCEL_ASKED_SIGNAL,
  type GroupStart,
  groupWorkflow,
  SETTLED_UPDATE,
} from './rules/group-messages.ts'
import type { GroupStatus } from './rules/groups.ts'

/** Starts groups of bookings or joins running ones. */
export type GroupEngine = {
  /**
   * Starts the group's workflow unless it runs, and waits up to `waitSeconds` for its end; the answer is in the database then.
   * `pending`: it goes on without us. Throws `booking_engine_unavailable` when nothing can run it now.
   */
  settleGroup(start: GroupStart, waitSeconds: number): Promise<GroupStatus | 'pending'>
  /** The same after it was written down that all of it is to be cancelled; one that was booked is started anew. */
  cancelGroup(start: GroupStart, waitSeconds: number): Promise<GroupStatus | 'pending'>
  /** Starts the workflow of a group that has none; false when it is running. */
  resumeGroup(start: GroupStart): Promise<boolean>
}

/** `stopWaiting` ends all waits, as if the caller's patience had ended then. */
export function createGroupEngine(client: Client, stopWaiting: AbortSignal): GroupEngine {
  const { within, awaitUpdate } = createUpdates(client, stopWaiting)

  const resumeGroup = (start: GroupStart) =>
    within(START_TIMEOUT_MS, async () => {
      const { type, options } = workflowOf(start)
      try {
        await client.workflow.start(type, options)
        return true
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false
        throw error
      }
    })

  const tellOfCancel = (start: GroupStart) =>
    within(START_TIMEOUT_MS, async () => {
      const { type, options } = workflowOf(start)
      await client.workflow.signalWithStart(type, { ...options, signal: CANCEL_ASKED_SIGNAL })
    })

  const wait = (
    start: GroupStart,
    seconds: number,
    id: string,
    signalInstead: () => Promise<unknown>,
  ) =>
    awaitUpdate<GroupStatus, []>(
      {
        ...workflowOf(start),
        signalInstead,
        unavailable: () => unavailable({ group_id: start.groupId }),
      },
      { name: SETTLED_UPDATE, id, args: [], waitSeconds: seconds },
    )

  return {
    settleGroup: (start, seconds) => wait(start, seconds, 'settled', () => resumeGroup(start)),
    async cancelGroup(start, seconds) {
      await tellOfCancel(start).catch(() => {
        throw unavailable({ group_id: start.groupId })
      })
      return wait(start, seconds, 'cancelled', async () => {})
    },
    resumeGroup,
  }
}

const workflowOf = (start: GroupStart) => {
  const { type, workflowId } = groupWorkflow(start)
  const options = {
    taskQueue: BOOKINGS_QUEUE,
    workflowId,
    args: [start],
    staticSummary: start.members
      .map(({ venueName }) => venueName)
      .join(start.kind === 'any_of' ? ' or ' : ' and '),
  }
  return { type, options }
}

declare module '../contract/operation.ts' {
  interface Engine extends GroupEngine {}
}
