import type { Client } from '@temporalio/client'
import { watchWorkflowId } from '../contract/rules/ids.ts'
import { BOOKINGS_QUEUE } from '../contract/rules/task-queues.ts'
import { WATCH_CHANGED_SIGNAL, type WatchStart } from './rules/watch.ts'

const TIMEOUT_MS = 5_000

/** Tells the workflows of waitlist entries what is written down for them. */
export type WatchEngine = {
  /** Signals the entry's workflow, started where there is none, that the entry has changed. */
  tellWatch(start: WatchStart): Promise<void>
}

export const createWatchEngine = (client: Client): WatchEngine => ({
  async tellWatch(start) {
    await client.withDeadline(Date.now() + TIMEOUT_MS, () =>
      client.workflow.signalWithStart('watch', {
        signal: WATCH_CHANGED_SIGNAL,
        taskQueue: BOOKINGS_QUEUE,
        workflowId: watchWorkflowId(start.watchId),
        args: [start],
        staticSummary: `Watch for ${start.partySize} at ${start.venueName}, ${start.slotTime.replace('T', ' ').slice(0, 16)}`,
      }),
    )
  },
})

declare module '../contract/define.ts' {
  interface Engine extends WatchEngine {}
  interface Settings {
    watchHoldSeconds: number
  }
}
