import { proxyActivities, setWorkflowOptions } from '@temporalio/workflow'
import type { CollectActivities } from '../activities/collect.ts'
import { VENUES_QUEUE } from '../src/base/task-queues.ts'
import { scheduled, stayPinned } from './rounds.ts'

const options = { taskQueue: VENUES_QUEUE, scheduleToCloseTimeout: '12m' } as const
const { collectPayments } = proxyActivities<CollectActivities>({
  ...options,
  startToCloseTimeout: '5m',
  retry: { maximumAttempts: 2 },
  summary: 'charge what is due, ask about payments that are not decided',
})
const { mailDunning } = proxyActivities<CollectActivities>({
  ...options,
  startToCloseTimeout: '60s',
  retry: { maximumAttempts: 2 },
  summary: 'mail about payments that failed',
})

/**
 * Charges amounts due and sends emails about failures. Both run before the failure of either is
 * thrown. Scheduled every quarter of an hour.
 */
export const collect = () => scheduled(collectAndMail)
setWorkflowOptions(stayPinned, collect)

async function collectAndMail() {
  const collecting = collectPayments(Date.now())
  await collecting.catch(() => {})
  const mailed = await mailDunning(Date.now())
  return { collected: await collecting, mailed }
}
