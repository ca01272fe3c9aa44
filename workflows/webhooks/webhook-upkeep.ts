import { proxyActivities } from '@temporalio/workflow'
import type { WebhookActivities } from '../../activities/webhooks.ts'
import { WEBHOOKS_QUEUE } from '../../src/contract/rules/task-queues.ts'

const { expireHeld } = proxyActivities<WebhookActivities>({
  taskQueue: WEBHOOKS_QUEUE,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry: { maximumAttempts: 3 },
  summary: 'expire deliveries held for too long',
})

/** Expires deliveries held for too long and returns how many. A schedule runs it hourly. */
export const webhookUpkeep = (): Promise<number> => expireHeld(Date.now())
