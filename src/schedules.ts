import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import { BOOKINGS_QUEUE } from './contract/rules/task-queues.ts'

/** Periodic workflows, one run at a time. Missed runs are skipped. */
const schedules = [
  { workflow: 'sweep', every: '15s', does: 'Resumes bookings that lost their workflow' },
  { workflow: 'waitlistScan', every: '30s', does: 'Offers freed slots to waitlist entries' },
  { workflow: 'webhookUpkeep', every: '1h', does: 'Discards events held for too long' },
  { workflow: 'mirror', every: '20s', does: 'Reads availability from connected venues' },
  { workflow: 'retention', every: '1h', does: 'Erases old deliveries, invoices the pro tier' },
] as const

/** Creates missing schedules. */
export async function ensureSchedules(client: Client): Promise<void> {
  await Promise.all(schedules.map((schedule) => ensureSchedule(client, schedule)))
}

async function ensureSchedule(
  client: Client,
  { workflow, every, does }: (typeof schedules)[number],
): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: workflow,
      spec: { intervals: [{ every }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
      action: {
        type: 'startWorkflow',
        workflowType: workflow,
        workflowId: workflow,
        taskQueue: BOOKINGS_QUEUE,
        staticSummary: does,
      },
    })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
  }
}
