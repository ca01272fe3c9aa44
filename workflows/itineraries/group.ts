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
import type { Activities, GroupActivities } from '../../activities/index.ts'
import { GROUPS_QUEUE } from '../../src/contract/rules/task-queues.ts'
import {
  CANCEL_ASKED_SIGNAL,
  type GroupStanding,
  type GroupStart,
  SETTLED_UPDATE,
} from '../../src/itineraries/rules/group-messages.ts'
import type { GroupStatus } from '../../src/itineraries/rules/groups.ts'
import { firstOf } from '../bookings/booking-inbox.ts'
import { insist } from '../insist.ts'
import { describeGroup, showGroup } from './group-display.ts'

const steps = proxyLocalActivities<Activities>({
  scheduleToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
  summary: 'see where the bookings stand, move the group on',
})
const { workOnMember } = proxyActivities<GroupActivities>({
  taskQueue: GROUPS_QUEUE,
  startToCloseTimeout: '40s',
  heartbeatTimeout: '5s',
  retry: { maximumAttempts: 1 },
  summary: 'wait for the answer of one of its bookings',
})
const { tellMembers } = proxyActivities<GroupActivities>({
  taskQueue: GROUPS_QUEUE,
  startToCloseTimeout: '20s',
  retry: { maximumAttempts: 3 },
  summary: 'tell the bookings that they are confirmed',
})

const settled = defineUpdate<GroupStatus>(SETTLED_UPDATE)
const cancelAsked = defineSignal(CANCEL_ASKED_SIGNAL)

/** Between two looks at a booking that could not be worked on. */
const PAUSE_MS = 2_000

/**
 * A group from its request to its end. What comes next is decided by where its bookings stand in the database, again after each
 * step, so a lost run is made up for by starting another.
 */
export async function runGroup(start: GroupStart): Promise<string> {
  let hasNews = false
  let end: GroupStatus | null = null
  setHandler(cancelAsked, () => {
    hasNews = true
    end = null
  })
  setHandler(settled, async () => {
    await condition(() => end !== null)
    return end as unknown as GroupStatus
  })
  describeGroup(start)
  hasNews = false
  let standing = await advance(start)
  for (;;) {
    while (standing.work.length > 0 || hasNews) {
      if (!hasNews) await work(start, standing, () => hasNews)
      hasNews = false
      standing = await advance(start)
      if (workflowInfo().continueAsNewSuggested && standing.work.length > 0) {
        // Whoever waits is answered that it is not over.
        end = standing.status
        await condition(allHandlersFinished)
        await continueAsNew(start)
      }
    }
    end = standing.status
    showGroup(start, end, [])
    if (start.kind === 'itinerary' && end === 'confirmed') await tell(start)
    // Whoever asks in the last moment is answered as well.
    await condition(() => allHandlersFinished() || hasNews)
    if (!hasNews) return end
  }
}

const advance = (start: GroupStart): Promise<GroupStanding> =>
  insist(
    () => steps.advanceGroup(start, Date.now()),
    () => {},
    'before trying again to move the group on',
  )

/** Works on what there is to do until a booking has answered, or the agent has news. */
async function work(start: GroupStart, { status, work }: GroupStanding, hasNews: () => boolean) {
  showGroup(start, status, work)
  await firstOf(() => Promise.race(work.map((one) => tryOn(start, status, one))), hasNews)
}

/** A wait that did not come back is one that brought no answer: the next look says what became of the booking. */
async function tryOn(start: GroupStart, status: GroupStatus, position: number): Promise<void> {
  try {
    await workOnMember(start, status, position, Date.now())
  } catch (error) {
    if (isCancellation(error)) throw error
    await sleep(PAUSE_MS, { summary: 'before the booking is looked at again' })
  }
}

/** They would find out by themselves, so a failure changes nothing. */
async function tell(start: GroupStart): Promise<void> {
  try {
    await tellMembers(start)
  } catch (error) {
    if (isCancellation(error)) throw error
  }
}
