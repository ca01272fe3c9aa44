import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import { BOOKINGS_QUEUE } from './contract/rules/task-queues.ts'

/** Every workflow that runs by the clock, one run at a time; a missed run is not made up for. */
const schedules = [
  { workflow: 'sweep', every: '15s', does: 'Resumes bookings that lost their workflow' },
  { workflow: 'waitlistScan', every: '30s', does: 'Offers places that appeared to those who wait' },
  { workflow: 'webhookUpkeep', every: '1h', does: 'Ends what endpoints have held for too long' },
  { workflow: 'mirror', every: '20s', does: 'Asks venues with a system of their own what is free' },
  {
    workflow: 'retention',
    every: '1h',
    does: 'Erases deliveries and requests of long ago, and invoices the pro tier',
  },
] as const

/** Creates the schedules that are not there yet. */
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
