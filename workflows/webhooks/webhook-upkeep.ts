import { proxyActivities } from '@temporalio/workflow'
import type { WebhookActivities } from '../../activities/webhooks.ts'
import { WEBHOOKS_QUEUE } from '../../src/contract/rules/task-queues.ts'

const { expireHeld } = proxyActivities<WebhookActivities>({
  taskQueue: WEBHOOKS_QUEUE,
  startToCloseTimeout: '10m',
  retry: { maximumAttempts: 3 },
  summary: 'expire deliveries held for too long',
})

/**
 * Expires deliveries that endpoints have held for too long; returns how many. A schedule runs it
 * every hour.
 */
export async function webhookUpkeep(): Promise<number> {
  return expireHeld(Date.now())
}
