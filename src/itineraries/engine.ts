import { groupWorkflowId } from '../base/ids.ts'
import { BOOKINGS_QUEUE } from '../base/task-queues.ts'
import type { BookingServices } from '../bookings/engine.ts'
import { MEMBER_MOVED_SIGNAL } from '../bookings/rules/booking.ts'
import type { Context } from '../contract/operation.ts'
import type { EngineParts } from '../contract/room.ts'
import { announce, clockSignal } from '../platform/temporal/announce.ts'
import type { Resumed } from '../platform/temporal/runs.ts'
import { summarized } from '../platform/temporal/summarized.ts'
import { createUpdates, unavailable } from '../platform/temporal/updates.ts'
import { CANCEL_ASKED_SIGNAL, type GroupStart, SETTLED_UPDATE } from './rules/group-messages.ts'
import type { GroupStatus } from './rules/groups.ts'

/** The client for group workflows. `stopWaiting` ends all waits for an answer. */
export function createGroupEngine({ client, runs, stopWaiting }: EngineParts) {
  const { awaitUpdate } = createUpdates(client, stopWaiting)

  const signal = (start: GroupStart, signalName: string, id: string) => {
    const { type: workflowType, options: workflow } = workflowOf(start)
    return announce(client, { workflowType, workflow, signalName, id })
  }

  const wait = (
    start: GroupStart,
    waitSeconds: number,
    id: string,
    signalInstead: () => Promise<unknown>,
  ) =>
    awaitUpdate<GroupStatus, []>(
      {
        ...workflowOf(start),
        signalInstead,
        unavailable: () => unavailable({ group_id: start.groupId }),
      },
      { name: SETTLED_UPDATE, id, args: [], waitSeconds },
    )

  return {
    /** Restarts a group's workflow if it is lost or its run cannot continue. */
    resumeGroup: (start: GroupStart): Promise<Resumed> => runs.resume(workflowOf(start)),
    /**
     * Notifies a group that one of its bookings has changed status, starting its workflow if
     * needed. Repeating an `id` costs the running workflow nothing.
     */
    announceMoved: (start: GroupStart, id: string) => signal(start, MEMBER_MOVED_SIGNAL, id),
    /** Sends a group the time on its account's test clock, starting its workflow if needed. */
    notifyGroupTime(start: GroupStart, id: string) {
      const { type: workflowType, options: workflow } = workflowOf(start)
      return announce(client, { workflowType, workflow, ...clockSignal(start, id) })
    },
    /**
     * Starts the group's workflow unless it is running, and waits up to `seconds` for its end (else
     * `pending`). The answer is in the database. Throws `booking_engine_unavailable`.
     */
    settleGroup: (start: GroupStart, seconds: number): Promise<GroupStatus | 'pending'> =>
      wait(start, seconds, 'settled', () => runs.start(workflowOf(start))),
    /** Announces a stored cancellation (restarting a booked group) and waits like `settleGroup`. */
    async cancelGroup(start: GroupStart, seconds: number): Promise<GroupStatus | 'pending'> {
      await signal(start, CANCEL_ASKED_SIGNAL, CANCEL_ASKED_SIGNAL).catch(() => {
        throw unavailable({ group_id: start.groupId })
      })
      return wait(start, seconds, 'cancelled', async () => {})
    },
  }
}

/** Workflow types and ids that read well in the Temporal UI. */
function workflowOf(start: GroupStart) {
  const isAnyOf = start.kind === 'any_of'
  const venues = start.members.map(({ venueName }) => venueName)
  return {
    type: isAnyOf ? 'anyOf' : 'itinerary',
    options: {
      taskQueue: BOOKINGS_QUEUE,
      workflowId: groupWorkflowId({ id: start.groupId, kind: start.kind }),
      args: [start],
      ...summarized(venues.join(isAnyOf ? ' or ' : ' and ')),
    },
  }
}

export type GroupEngine = ReturnType<typeof createGroupEngine>
/** Services used by operations on groups; each member of a group is a booking. */
export type GroupServices = BookingServices & { engine: GroupEngine }
export type GroupContext = Context<GroupServices>
