import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  isCancellation,
  patched,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { ItineraryActivities } from '../../activities/itineraries.ts'
import { MEMBER_MOVED_SIGNAL } from '../../src/bookings/rules/booking.ts'
import {
  CANCEL_ASKED_SIGNAL,
  GROUP_VERSION,
  type GroupProgress,
  type GroupStart,
  SETTLED_UPDATE,
} from '../../src/itineraries/rules/group-messages.ts'
import type { GroupStatus } from '../../src/itineraries/rules/groups.ts'
import { openClock } from '../account-clock.ts'
import { retryUntilSuccess } from '../bookings/booking-interface.ts'
import { inTask } from '../local-activities.ts'
import { describeGroup, showGroup } from './group-display.ts'
import { createGroupWork, createPollingWork, polling } from './group-work.ts'

const steps = proxyLocalActivities<ItineraryActivities>({
  ...inTask,
  summary: 'advance the group by the state of its bookings',
})
const { tellMembers } = proxyLocalActivities<ItineraryActivities>({
  ...inTask,
  summary: 'notify the bookings that they are confirmed',
})

const settled = defineUpdate<GroupStatus>(SETTLED_UPDATE)
const cancelAsked = defineSignal(CANCEL_ASKED_SIGNAL)
const memberMoved = defineSignal(MEMBER_MOVED_SIGNAL)

/**
 * A group from its request to its end. After each step the state of its bookings in the database
 * decides what comes next, so another run makes up for a lost one. A signal of a booking only says
 * that it is time to look.
 */
async function runGroup(start: GroupStart): Promise<string> {
  let isCancelled = false
  let hasMoved = false
  let messages = 0
  let end: GroupStatus | null = null
  setHandler(cancelAsked, () => {
    messages += 1
    isCancelled = true
    end = null
  })
  setHandler(memberMoved, () => {
    messages += 1
    hasMoved = true
  })
  setHandler(settled, async () => {
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
  const waitFor = (start.version ? createGroupWork : createPollingWork)(start, inbox)
  const advance = (): Promise<GroupProgress> => {
    isCancelled = false
    hasMoved = false
    return retryUntilSuccess(() => steps.advanceGroup(clock.withTime(start), now()), {
      messages: () => messages,
      summary: 'before trying again to advance the group',
    })
  }
  describeGroup(start)
  let progress = await advance()
  for (;;) {
    while (progress.work.length > 0 || isCancelled) {
      if (!inbox.isCalled()) {
        showGroup(start, progress.status, progress.work)
        await waitFor(progress)
      }
      const isOutdated = hasMoved && !start.version
      progress = await advance()
      const mustEnd = isOutdated || workflowInfo().continueAsNewSuggested
      if (mustEnd && progress.work.length > 0) {
        // Waiting callers get the current status.
        end = progress.status
        await condition(allHandlersFinished)
        await continueAsNew({ ...clock.withTime(start), version: GROUP_VERSION })
      }
    }
    end = progress.status
    showGroup(start, end, [])
    if (start.kind === 'itinerary' && end === 'confirmed') await tell(start)
    // Callers that arrive at the last moment are answered too.
    await condition(() => allHandlersFinished() || isCancelled)
    if (!isCancelled) return end
  }
}

/** Tries alternatives in order, one venue at a time, until one says yes. */
export const anyOf = runGroup

/** Books all parts or none: holds them, asks their venues, then books all or releases all. */
export const itinerary = runGroup

/** Best effort: without it the bookings notice when their holds end. */
async function tell(start: GroupStart): Promise<void> {
  try {
    const isNew = start.version || patched('members-told-in-task')
    await (isNew ? tellMembers(start) : polling.tellMembers(start))
  } catch (error) {
    if (isCancellation(error)) throw error
  }
}
