import { proxyActivities } from '@temporalio/workflow'
import type { VenueActivities } from '../../activities/confirmation.ts'
import type { Rounds } from '../../src/contract/rules/rounds.ts'
import { VENUES_QUEUE } from '../../src/contract/rules/task-queues.ts'
import { inRounds } from '../rounds.ts'

const { mirrorAvailability } = proxyActivities<VenueActivities>({
  taskQueue: VENUES_QUEUE,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: { maximumAttempts: 1 },
  summary: 'ask venues what is free',
})

/** Reads the availability of venues with their own system, every 20 s. */
export const mirror = (rounds?: Rounds): ReturnType<VenueActivities['mirrorAvailability']> =>
  inRounds(rounds ?? { count: 1, seconds: 0 }, () => mirrorAvailability(Date.now()))
