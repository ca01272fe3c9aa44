import type { Client } from '@temporalio/client'
import { BOOKINGS_QUEUE } from '../bookings/rules/booking-messages.ts'
import { watchWorkflowId } from '../contract/rules/ids.ts'
import { WATCH_CHANGED_SIGNAL, type WatchStart } from './rules/watch.ts'

const TIMEOUT_MS = 5_000

/** Tells a watch's workflow, started anew where there is none, that the watch stands somewhere else now. */
export async function tellWatch(client: Client, start: WatchStart): Promise<void> {
  await client.withDeadline(Date.now() + TIMEOUT_MS, () =>
    client.workflow.signalWithStart('watch', {
      signal: WATCH_CHANGED_SIGNAL,
      taskQueue: BOOKINGS_QUEUE,
      workflowId: watchWorkflowId(start.watchId),
      args: [start],
      staticSummary: `Watch for ${start.partySize} at ${start.venueName}, ${start.slotTime.replace('T', ' ').slice(0, 16)}`,
    }),
  )
}
