import type { Client } from '@temporalio/client'
import { waitlistWorkflowId } from '../contract/rules/ids.ts'
import { BOOKINGS_QUEUE } from '../contract/rules/task-queues.ts'
import { summarized } from '../platform/temporal/summarized.ts'
import { ENTRY_CHANGED_SIGNAL, type EntryStart } from './rules/entry.ts'

const TIMEOUT_MS = 5_000

/** The client of the workflows of waitlist entries. */
export const createWaitlistEngine = (client: Client) => ({
  /** Signals to the entry's workflow, and starts it if needed, that the entry has changed. */
  async notifyEntry(start: EntryStart): Promise<void> {
    const { watchId, partySize, venueName, slotTime } = start
    const when = slotTime.replace('T', ' ').slice(0, 16)
    await client.withDeadline(Date.now() + TIMEOUT_MS, () =>
      client.workflow.signalWithStart('waitlistEntry', {
        signal: ENTRY_CHANGED_SIGNAL,
        taskQueue: BOOKINGS_QUEUE,
        workflowId: waitlistWorkflowId(watchId),
        args: [start],
        ...summarized(`Watch for ${partySize} at ${venueName}, ${when}`),
      }),
    )
  },
})

declare module '../contract/operation.ts' {
  interface Engine extends ReturnType<typeof createWaitlistEngine> {}
  interface Settings {
    watchHoldSeconds: number
  }
}
