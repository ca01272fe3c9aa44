import { proxyActivities } from '@temporalio/workflow'
import type { WebhookActivities } from '../../activities/index.ts'
import { WEBHOOKS_QUEUE } from '../../src/contract/rules/task-queues.ts'

const { expireHeld } = proxyActivities<WebhookActivities>({
  taskQueue: WEBHOOKS_QUEUE,
  startToCloseTimeout: '10m',
  retry: { maximumAttempts: 3 },
  summary: 'end what endpoints have held for too long',
})

/** Ends what endpoints that are paused or disabled have held for too long. Run every hour by a schedule; answers how many deliveries. */
export async function webhookUpkeep(): Promise<number> {
  return expireHeld(Date.now())
}
