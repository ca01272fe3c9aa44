import { proxyActivities } from '@temporalio/workflow'
import type { VenueActivities } from '../../activities/confirmation.ts'
import { VENUES_QUEUE } from '../../src/contract/rules/task-queues.ts'

const { mirrorAvailability } = proxyActivities<VenueActivities>({
  taskQueue: VENUES_QUEUE,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: { maximumAttempts: 1 },
  summary: 'ask venues what is free',
})

/**
 * Reads from venues with a system of their own what is free there. Every 20 s by a schedule; the
 * next run makes up for a failed one.
 */
export async function mirror(): ReturnType<VenueActivities['mirrorAvailability']> {
  return mirrorAvailability(Date.now())
}
