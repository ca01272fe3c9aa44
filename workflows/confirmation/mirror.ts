import { proxyActivities, setWorkflowOptions } from '@temporalio/workflow'
import type { VenueActivities } from '../../activities/confirmation.ts'
import { VENUES_QUEUE } from '../../src/base/task-queues.ts'
import { once, roundsOptions, scheduled, stayPinned } from '../rounds.ts'

const { mirrorInRounds } = proxyActivities<VenueActivities>({
  ...roundsOptions,
  taskQueue: VENUES_QUEUE,
  summary: 'ask venues what is free',
})

/** Reads the availability of venues that have their own system, every 20 s. */
export const mirror = (rounds = once) => scheduled(() => mirrorInRounds(rounds))
setWorkflowOptions(stayPinned, mirror)
