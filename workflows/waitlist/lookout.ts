import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { LookedOut } from '../../src/waitlist/rules/watch.ts'

const { lookOut } = proxyActivities<Activities>({
  startToCloseTimeout: '60s',
  retry: { maximumAttempts: 3 },
  summary: 'offer places that appeared by themselves',
})

/** The guarantee behind every watch: a place that nobody gave back is offered too, and lost messages are made up for. Run every 30 s by a schedule. */
export async function lookout(): Promise<LookedOut> {
  return lookOut(Date.now())
}
