import type { Client } from '@temporalio/client'
import { waitlistWorkflowId } from '../contract/rules/ids.ts'
import { BOOKINGS_QUEUE } from '../contract/rules/task-queues.ts'
import { ENTRY_CHANGED_SIGNAL, type EntryStart } from './rules/entry.ts'

const TIMEOUT_MS = 5_000

/** Tells the workflows of waitlist entries what is written down for them. */
export type WaitlistEngine = {
  /** Signals the entry's workflow, started where there is none, that the entry has changed. */
  notifyEntry(start: EntryStart): Promise<void>
}

export const createWaitlistEngine = (client: Client): WaitlistEngine => ({
  async notifyEntry(start) {
    await client.withDeadline(Date.now() + TIMEOUT_MS, () =>
      client.workflow.signalWithStart('waitlistEntry', {
        signal: ENTRY_CHANGED_SIGNAL,
        taskQueue: BOOKINGS_QUEUE,
        workflowId: waitlistWorkflowId(start.watchId),
        args: [start],
        staticSummary: `Watch for ${start.partySize} at ${start.venueName}, ${start.slotTime.replace('T', ' ').slice(0, 16)}`,
      }),
    )
  },
})

declare module '../contract/operation.ts' {
  interface Engine extends WaitlistEngine {}
  interface Settings {
    watchHoldSeconds: number
  }
}
