import { proxyActivities } from '@temporalio/workflow'
import type { VenueActivities } from '../../activities/index.ts'
import { VENUES_QUEUE } from '../../src/contract/rules/task-queues.ts'

const { mirrorAvailability } = proxyActivities<VenueActivities>({
  taskQueue: VENUES_QUEUE,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: { maximumAttempts: 1 },
  summary: 'ask the venues what is free',
})

/** Keeps what venues with a system of their own say to be free. Run every 20 s by a schedule; the next run makes up for a failed one. */
export async function mirror(): ReturnType<VenueActivities['mirrorAvailability']> {
  return mirrorAvailability(Date.now())
}
