import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { GroupActivities, ItineraryActivities } from '../../activities/itineraries.ts'
import { GROUPS_QUEUE } from '../../src/contract/rules/task-queues.ts'
import {
  CANCEL_ASKED_SIGNAL,
  type GroupProgress,
  type GroupStart,
  SETTLED_UPDATE,
} from '../../src/itineraries/rules/group-messages.ts'
import type { GroupStatus } from '../../src/itineraries/rules/groups.ts'
import { firstOf, retryUntilSuccess } from '../bookings/booking-interface.ts'
import { describeGroup, showGroup } from './group-display.ts'

const steps = proxyLocalActivities<ItineraryActivities>({
  scheduleToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
  summary: 'advance the group by the state of its bookings',
})
const { workOnMember } = proxyActivities<GroupActivities>({
  taskQueue: GROUPS_QUEUE,
  startToCloseTimeout: '40s',
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 1 },
  summary: 'wait for the answer of a booking',
})
const { tellMembers } = proxyActivities<GroupActivities>({
  taskQueue: GROUPS_QUEUE,
  startToCloseTimeout: '20s',
  retry: { maximumAttempts: 3 },
  summary: 'notify the bookings that they are confirmed',
})

const settled = defineUpdate<GroupStatus>(SETTLED_UPDATE)
const cancelAsked = defineSignal(CANCEL_ASKED_SIGNAL)

/** Before the next attempt to wait for a booking. */
const PAUSE_MS = 2_000

/**
 * A group from its request to its end. After each step the state of its bookings in the database
 * decides what comes next, so another run makes up for a lost one.
 */
async function runGroup(start: GroupStart): Promise<string> {
  let hasNews = false
  let messages = 0
  let end: GroupStatus | null = null
  setHandler(cancelAsked, () => {
    messages += 1
    hasNews = true
    end = null
  })
  setHandler(settled, async () => {
    messages += 1
    await condition(() => end !== null)
    return end as unknown as GroupStatus
  })
  const advance = (): Promise<GroupProgress> =>
    retryUntilSuccess(() => steps.advanceGroup(start, Date.now()), {
      messages: () => messages,
      summary: 'before trying again to advance the group',
    })
  describeGroup(start)
  hasNews = false
  let progress = await advance()
  for (;;) {
    while (progress.work.length > 0 || hasNews) {
      if (!hasNews) await work(start, progress, () => hasNews)
      hasNews = false
      progress = await advance()
      if (workflowInfo().continueAsNewSuggested && progress.work.length > 0) {
        // Waiting callers get the current status.
        end = progress.status
        await condition(allHandlersFinished)
        await continueAsNew(start)
      }
    }
    end = progress.status
    showGroup(start, end, [])
    if (start.kind === 'itinerary' && end === 'confirmed') await tell(start)
    // Callers that arrive at the last moment are answered too.
    await condition(() => allHandlersFinished() || hasNews)
    if (!hasNews) return end
  }
}

/** Tries alternatives in order, one venue at a time, until one says yes. */
export const anyOf = runGroup

/** Books all parts or none: holds them, asks their venues, then books all or releases all. */
export const itinerary = runGroup

/** Works on the open members until one has answered or the agent cancels. */
async function work(start: GroupStart, { status, work }: GroupProgress, hasNews: () => boolean) {
  showGroup(start, status, work)
  await firstOf(() => Promise.race(work.map((one) => tryOn(start, status, one))), hasNews)
}

/** A wait that failed brought no answer; the next step reads the state of the booking. */
async function tryOn(start: GroupStart, status: GroupStatus, position: number): Promise<void> {
  try {
    await workOnMember(start, status, position, Date.now())
  } catch (error) {
    if (isCancellation(error)) throw error
    await sleep(PAUSE_MS, { summary: 'before waiting for the booking again' })
  }
}

/** Best effort: without it the bookings notice when their holds end. */
async function tell(start: GroupStart): Promise<void> {
  try {
    await tellMembers(start)
  } catch (error) {
    if (isCancellation(error)) throw error
  }
}
