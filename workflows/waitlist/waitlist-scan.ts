import { proxyActivities } from '@temporalio/workflow'
import type { WaitlistActivities } from '../../activities/waitlist.ts'
import type { WaitlistScan } from '../../src/waitlist/rules/entry.ts'

const { scanWaitlist } = proxyActivities<WaitlistActivities>({
  startToCloseTimeout: '60s',
  retry: { maximumAttempts: 3 },
  summary: 'offer slots that nobody released',
})

/**
 * The guarantee behind every waitlist entry, every 30 s by a schedule: slots that became free
 * without a booking's end are offered too, and lost messages are made up for.
 */
export async function waitlistScan(): Promise<WaitlistScan> {
  return scanWaitlist(Date.now())
}
