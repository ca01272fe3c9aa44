import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import { BOOKINGS_QUEUE } from '../model/booking-messages.ts'

/** Runs the workflow `sweep` every 15 s, one at a time; a missed run is not made up for. */
export async function ensureSweepSchedule(client: Client): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: 'sweep',
      spec: { intervals: [{ every: '15s' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
      action: {
        type: 'startWorkflow',
        workflowType: 'sweep',
        workflowId: 'sweep',
        taskQueue: BOOKINGS_QUEUE,
        staticSummary: 'Resumes bookings that lost their workflow',
      },
    })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
  }
}
