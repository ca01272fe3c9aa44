import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client'
import { BOOKINGS_QUEUE } from '../base/task-queues.ts'
import type { Periodic } from '../contract/room.ts'
import { roomSchedules } from './parts.ts'

/**
 * The periodic workflows of the network and its rooms. A run with rounds repeats its work, because
 * each run takes 15 kB in the list of workflows, however little it does.
 */
const schedules: readonly Periodic[] = [
  ...roomSchedules,
  {
    workflow: 'sweep',
    every: '5m',
    longest: '8m',
    rounds: { count: 20, seconds: 15 },
    does: 'Resumes bookings that lost their workflow',
  },
  {
    workflow: 'retention',
    every: '1h',
    longest: '50m',
    does: 'Erases old deliveries, invoices the pro tier',
  },
]

/** The workflows that run periodically; their schedules have the same names. */
export const scheduledWorkflows = schedules.map(({ workflow }) => workflow)

/** Creates missing schedules and updates existing ones to this release. */
export async function ensureSchedules(client: Client): Promise<void> {
  await Promise.all(schedules.map((schedule) => ensureSchedule(client, schedule)))
}

async function ensureSchedule(
  { schedule }: Client,
  { workflow, every, longest, rounds, does }: Periodic,
): Promise<void> {
  const options = {
    spec: { intervals: [{ every }] },
    // A run due during another follows immediately; a server outage costs one run.
    policies: { overlap: ScheduleOverlapPolicy.BUFFER_ONE, catchupWindow: every },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: workflow,
      taskQueue: BOOKINGS_QUEUE,
      workflowRunTimeout: longest,
      args: rounds ? [rounds] : [],
      staticSummary: does,
    },
  } as const satisfies Partial<ScheduleOptions>
  try {
    const state = { triggerImmediately: rounds !== undefined }
    await schedule.create({ scheduleId: workflow, ...options, state })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    // A schedule that an operator has paused stays paused.
    await schedule.getHandle(workflow).update(({ state }) => ({ ...options, state }))
  }
}
