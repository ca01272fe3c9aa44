import { patched, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { SweptPage } from '../activities/sweep.ts'

const { resumeLostBookings, deliverStatements, eraseGuestDetails } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { maximumAttempts: 3 },
})

/**
 * The guarantee behind every booking: whatever lost its workflow gets it back, and what its venue said reaches it. Run every
 * 15 s by a schedule.
 */
export async function sweep(): Promise<{ resumed: string[]; heard: string[]; erased: number }> {
  const resumed: string[] = []
  let after: string | null = null
  do {
    const page: SweptPage = await resumeLostBookings(Date.now(), after)
    resumed.push(...page.resumed)
    after = page.next
  } while (after !== null)
  const heard = patched('venue statements') ? await deliverStatements(Date.now()) : []
  const erased = await eraseGuestDetails(Date.now())
  return { resumed, heard, erased }
}
