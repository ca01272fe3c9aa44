import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { ItineraryActivities } from '../../activities/itineraries.ts'
import { MEMBER_MOVED_SIGNAL } from '../../src/bookings/rules/booking.ts'
import {
  CANCEL_ASKED_SIGNAL,
  type GroupProgress,
  type GroupStart,
  SETTLED_UPDATE,
} from '../../src/itineraries/rules/group-messages.ts'
import type { GroupStatus } from '../../src/itineraries/rules/groups.ts'
import { openClock } from '../account-clock.ts'
import { retryUntilSuccess } from '../bookings/booking-interface.ts'
import { inTask } from '../local-activities.ts'
import { onSignal, onUpdate, outlive } from '../messages.ts'
import { HOW_TO_CANCEL_GROUP, showGroup } from './group-display.ts'
import { createGroupWork } from './group-work.ts'

const steps = proxyLocalActivities<ItineraryActivities>({
  ...inTask,
  summary: 'advance the group by the state of its bookings',
})
const { notifyMembers } = proxyLocalActivities<ItineraryActivities>({
  ...inTask,
  summary: 'notify the bookings that they are confirmed',
})

const settled = {
  name: SETTLED_UPDATE,
  about: 'For the network: waits until the group is booked, cancelled or has failed. No input.',
}
const cancelAsked = {
  name: CANCEL_ASKED_SIGNAL,
  about: 'Checks whether the agent has cancelled the group. Harmless at any time. No input.',
}
const memberMoved = {
  name: MEMBER_MOVED_SIGNAL,
  about: 'Looks at the bookings of the group again. Harmless at any time. No input.',
}

const needsNewRun = ({ work }: GroupProgress) =>
  work.length > 0 && workflowInfo().continueAsNewSuggested

/**
 * Runs a group from its request to its end. After each step, the state of its bookings in the
 * database decides the next step, so another run can replace a lost one. A booking's signal only
 * says that it is time to check.
 */
async function runGroup(start: GroupStart): Promise<string> {
  let isCancelled = false
  let hasMoved = false
  let messages = 0
  let end: GroupStatus | null = null
  onSignal(cancelAsked, () => {
    messages += 1
    isCancelled = true
    end = null
  })
  onSignal(memberMoved, () => {
    messages += 1
    hasMoved = true
  })
  onUpdate(settled, async () => {
    messages += 1
    await condition(() => end !== null)
    return end as unknown as GroupStatus
  })
  const clock = openClock(start, () => {
    messages += 1
    hasMoved = true
  })
  const { now } = clock
  const inbox = { messages: () => messages, isCalled: () => isCancelled || hasMoved, now }
  const waitFor = createGroupWork(start, inbox)
  const advance = (): Promise<GroupProgress> => {
    isCancelled = false
    hasMoved = false
    return retryUntilSuccess(() => steps.advanceGroup(clock.withTime(start), now()), {
      messages: () => messages,
      summary: 'before trying again to advance the group',
    })
  }
  let progress = await advance()
  for (;;) {
    while (progress.work.length > 0 || isCancelled) {
      if (!inbox.isCalled()) {
        showGroup(start, progress.status, progress.work)
        await waitFor(progress)
      }
      progress = await advance()
      if (needsNewRun(progress)) {
        // Waiting callers get the current status.
        end = progress.status
        await condition(allHandlersFinished)
        await continueAsNew(clock.withTime(start))
      }
    }
    end = progress.status
    showGroup(start, end, [])
    if (start.kind === 'itinerary' && end === 'confirmed') {
      // Best effort, because the bookings will otherwise find out when their holds end.
      await notifyMembers(start).catch(() => {})
    }
    // Callers that arrive at the last moment must be answered too.
    await condition(() => allHandlersFinished() || isCancelled)
    if (!isCancelled) return end
  }
}

/** Tries alternatives in order, one venue at a time, until one says yes. */
export const anyOf = (start: GroupStart) => outlive(HOW_TO_CANCEL_GROUP, () => runGroup(start))

/** Books all parts or none: holds them, asks their venues, then books or releases them all. */
export const itinerary = (start: GroupStart) => anyOf(start)
