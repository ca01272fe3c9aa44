import { proxyActivities } from '@temporalio/workflow'
import type { ErasedStep } from '../activities/erase-deliveries.ts'
import type { Activities } from '../activities/index.ts'

/** Of one run, so that its history stays short; the next hour goes on. */
const MOST_STEPS = 300

const { eraseDeliveries } = proxyActivities<Activities>({
  startToCloseTimeout: '60s',
  retry: { maximumAttempts: 3 },
  summary: 'erase what was settled long ago',
})

/** Keeps deliveries and attempts from growing for ever, a thousand at a time. Run every hour by a schedule. */
export async function retention(): Promise<Omit<ErasedStep, 'hasMore'>> {
  const erased = { deliveries: 0, challenges: 0, replays: 0, endpoints: 0 }
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const step = await eraseDeliveries(Date.now())
    erased.deliveries += step.deliveries
    erased.challenges += step.challenges
    erased.replays += step.replays
    erased.endpoints += step.endpoints
    if (!step.hasMore) break
  }
  return erased
}
