import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client'
import { BOOKINGS_QUEUE } from './contract/rules/task-queues.ts'

/**
 * Periodic workflows, one run at a time; missed runs are skipped. A run that hangs, whatever the
 * reason, ends after `longest`, so that it cannot keep the next ones from starting.
 */
const schedules = [
  {
    workflow: 'sweep',
    every: '15s',
    longest: '2m',
    does: 'Resumes bookings that lost their workflow',
  },
  {
    workflow: 'waitlistScan',
    every: '30s',
    longest: '4m',
    does: 'Offers freed slots to waitlist entries',
  },
  {
    workflow: 'webhookUpkeep',
    every: '1h',
    longest: '40m',
    does: 'Discards events held for too long',
  },
  {
    workflow: 'mirror',
    every: '20s',
    longest: '6m',
    does: 'Reads availability from connected venues',
  },
  {
    workflow: 'retention',
    every: '1h',
    longest: '50m',
    does: 'Erases old deliveries, invoices the pro tier',
  },
] as const

/** The workflows that run periodically; their schedules have the same names. */
export const scheduledWorkflows = schedules.map(({ workflow }) => workflow)

/** Creates missing schedules, and changes those of an earlier release to what this one wants. */
export async function ensureSchedules(client: Client): Promise<void> {
  await Promise.all(schedules.map((schedule) => ensureSchedule(client, schedule)))
}

async function ensureSchedule(
  { schedule }: Client,
  { workflow, every, longest, does }: (typeof schedules)[number],
): Promise<void> {
  const wanted = {
    spec: { intervals: [{ every }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: workflow,
      taskQueue: BOOKINGS_QUEUE,
      workflowRunTimeout: longest,
      staticSummary: does,
    },
  } as const satisfies Partial<ScheduleOptions>
  try {
    await schedule.create({ scheduleId: workflow, ...wanted })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    // A schedule that an operator paused stays paused.
    await schedule.getHandle(workflow).update(({ state }) => ({ ...wanted, state }))
  }
}
