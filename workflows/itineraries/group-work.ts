import { condition, proxyLocalActivities } from '@temporalio/workflow'
import type { ItineraryActivities } from '../../activities/itineraries.ts'
import type { GroupProgress, GroupStart } from '../../src/itineraries/rules/group-messages.ts'
import { ITINERARY_GRACE_MS } from '../../src/itineraries/rules/groups.ts'
import { retryUntilSuccess } from '../bookings/booking-interface.ts'
import { inTask } from '../local-activities.ts'

const { beginWork } = proxyLocalActivities<ItineraryActivities>({
  ...inTask,
  summary: 'open, confirm or undo the bookings whose turn it is',
})

/** The messages to a group's workflow while it waits. */
type GroupInbox = {
  /** how many messages this run has received */
  messages(): number
  /** whether a booking has moved, or the agent has cancelled, since the last check */
  isCalled(): boolean
  /** the time of the group's account */
  now(): number
}

const MIN_WAIT_MS = 1_000

/**
 * Works on a group's open members, starting each of them once per status of the group. `waitFor`
 * returns when a member has moved and signalled the group, or when the group's time is up.
 */
export function createGroupWork(start: GroupStart, { messages, isCalled, now }: GroupInbox) {
  const started = new Set<string>()
  const deadline = start.answerBy && Date.parse(start.answerBy) + ITINERARY_GRACE_MS

  return async function waitFor({ status, work }: GroupProgress): Promise<void> {
    const open = work.filter((position) => !started.has(`${status} ${position}`))
    if (open.length > 0) {
      await retryUntilSuccess(() => beginWork(start, status, open, now()), {
        messages,
        summary: 'before trying again to reach the bookings',
      })
      for (const position of open) started.add(`${status} ${position}`)
    }
    const isTimed = deadline && (status === 'holding' || status === 'asking')
    if (!isTimed) return condition(isCalled)
    const ms = Math.max(MIN_WAIT_MS, deadline - now())
    await condition(isCalled, ms, { summary: 'end of the time of the venues' })
  }
}
