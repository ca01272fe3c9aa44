import { proxyActivities, setWorkflowOptions } from '@temporalio/workflow'
import type { AccountMailActivities } from '../../activities/accounts.ts'
import type { WebhookActivities } from '../../activities/webhooks.ts'
import { VENUES_QUEUE, WEBHOOKS_QUEUE } from '../../src/base/task-queues.ts'
import { scheduled, stayPinned } from '../rounds.ts'

const { expireHeld } = proxyActivities<WebhookActivities>({
  taskQueue: WEBHOOKS_QUEUE,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry: { maximumAttempts: 3 },
  summary: 'expire deliveries held for too long',
})
const { mailEndpointOwners } = proxyActivities<AccountMailActivities>({
  taskQueue: VENUES_QUEUE,
  startToCloseTimeout: '60s',
  scheduleToCloseTimeout: '5m',
  retry: { maximumAttempts: 2 },
  summary: 'mail the owners of endpoints that fail',
})

/**
 * Expires deliveries held for too long, returning their number, and emails the owners of failing
 * endpoints. Both run before the failure of either is thrown. Scheduled every quarter of an hour.
 */
export const webhookUpkeep = (): Promise<number> => scheduled(expireAndMail)
setWorkflowOptions(stayPinned, webhookUpkeep)

async function expireAndMail(): Promise<number> {
  const mailing = mailEndpointOwners(Date.now())
  await mailing.catch(() => {})
  const expired = await expireHeld(Date.now())
  await mailing
  return expired
}
