import { randomUUID } from 'node:crypto'
import { waitlistWorkflowId } from '../base/ids.ts'
import { BOOKINGS_QUEUE } from '../base/task-queues.ts'
import type { BookingServices } from '../bookings/engine.ts'
import type { Context } from '../contract/operation.ts'
import type { EngineParts } from '../contract/room.ts'
import { announce, clockSignal } from '../platform/temporal/announce.ts'
import type { Resumed } from '../platform/temporal/runs.ts'
import { summarized } from '../platform/temporal/summarized.ts'
import { ENTRY_CHANGED_SIGNAL, type EntryStart } from './rules/entry.ts'

/** The client for the workflows of waitlist entries. */
export const createWaitlistEngine = ({ client, runs }: EngineParts) => ({
  /**
   * Signals a change to an entry's workflow, starting it if needed. Repeating an `id` costs the
   * running workflow nothing.
   */
  notifyEntry: (start: EntryStart, id: string = randomUUID()): Promise<void> =>
    announce(client, { ...workflowOf(start), signalName: ENTRY_CHANGED_SIGNAL, id }),
  /** Restarts an entry's workflow if it is lost or its run cannot continue. */
  resumeEntry(start: EntryStart): Promise<Resumed> {
    const { workflowType: type, workflow: options } = workflowOf(start)
    return runs.resume({ type, options })
  },
  /** Signals the time on the account's test clock to an entry's workflow, as `notifyEntry` does. */
  notifyEntryTime: (start: EntryStart, id: string): Promise<void> =>
    announce(client, { ...workflowOf(start), ...clockSignal(start, id) }),
})

function workflowOf(start: EntryStart) {
  const { entryId, partySize, venueName, slotTime } = start
  const when = slotTime.replace('T', ' ').slice(0, 16)
  const workflow = {
    taskQueue: BOOKINGS_QUEUE,
    workflowId: waitlistWorkflowId(entryId),
    args: [start],
    ...summarized(`Watch for ${partySize} at ${venueName}, ${when}`),
  }
  return { workflowType: 'waitlistEntry', workflow }
}

export type WaitlistEngine = ReturnType<typeof createWaitlistEngine>
/** Services for operations on watches, whose offers are holds. */
export type WaitlistContext = Context<
  BookingServices & { engine: WaitlistEngine; settings: { watchHoldSeconds: number } }
>
