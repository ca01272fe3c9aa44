import {
  condition,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  sleep,
} from '@temporalio/workflow'
import type { ItineraryActivities } from '../../activities/itineraries.ts'
import type { GroupProgress, GroupStart } from '../../src/itineraries/rules/group-messages.ts'
import { type GroupStatus, ITINERARY_GRACE_MS } from '../../src/itineraries/rules/groups.ts'
import { firstOf, retryUntilSuccess } from '../bookings/booking-interface.ts'
import { inTask } from '../local-activities.ts'

const { beginWork } = proxyLocalActivities<ItineraryActivities>({
  ...inTask,
  summary: 'open, confirm or undo the bookings whose turn it is',
})

/** What the workflow of a group hears while it waits. */
type GroupInbox = {
  /** messages to this run so far */
  messages(): number
  /** whether a booking has moved, or the agent cancels, since the last look */
  isCalled(): boolean
  /** the time of the group's account */
  now(): number
}

const MIN_WAIT_MS = 1_000

/**
 * Works on the open members of a group: each is begun once in each status of the group, and signals
 * the group when it has moved. `waitFor` returns then, or when the time of the group is over.
 */
export function createGroupWork(start: GroupStart, { messages, isCalled, now }: GroupInbox) {
  const begun = new Set<string>()
  const deadline = start.answerBy && Date.parse(start.answerBy) + ITINERARY_GRACE_MS

  return async function waitFor({ status, work }: GroupProgress): Promise<void> {
    const open = work.filter((position) => !begun.has(`${status} ${position}`))
    if (open.length > 0) {
      await retryUntilSuccess(() => beginWork(start, status, open, now()), {
        messages,
        summary: 'before trying again to reach the bookings',
      })
      for (const position of open) begun.add(`${status} ${position}`)
    }
    const isTimed = deadline && (status === 'holding' || status === 'asking')
    if (!isTimed) return condition(isCalled)
    const ms = Math.max(MIN_WAIT_MS, deadline - now())
    await condition(isCalled, ms, { summary: 'end of the time of the venues' })
  }
}

/** The activity of releases before, and its queue. Runs that still use it continue as new. */
type Polling = {
  workOnMember(
    start: GroupStart,
    status: GroupStatus,
    position: number,
    at: number,
  ): Promise<string>
  tellMembers(start: GroupStart): Promise<void>
}
const taskQueue = 'groups'
const { workOnMember } = proxyActivities<Polling>({
  taskQueue,
  startToCloseTimeout: '40s',
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 1 },
  summary: 'wait for the answer of a booking',
})
export const polling = proxyActivities<Polling>({
  taskQueue,
  startToCloseTimeout: '20s',
  retry: { maximumAttempts: 3 },
  summary: 'notify the bookings that they are confirmed',
})

const PAUSE_MS = 2_000

/** The work of earlier releases: an activity for each member, until one has answered. */
export function createPollingWork(start: GroupStart, { isCalled }: GroupInbox) {
  return async function waitFor({ status, work }: GroupProgress): Promise<void> {
    await firstOf(() => Promise.race(work.map((one) => tryOn(start, status, one))), isCalled)
  }
}

async function tryOn(start: GroupStart, status: GroupStatus, position: number): Promise<void> {
  try {
    await workOnMember(start, status, position, Date.now())
  } catch (error) {
    if (isCancellation(error)) throw error
    await sleep(PAUSE_MS, { summary: 'before waiting for the booking again' })
  }
}
