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

/** Reads the availability of venues with their own system. Every 20 s by a schedule. */
export const mirror = (): ReturnType<VenueActivities['mirrorAvailability']> =>
  mirrorAvailability(Date.now())
