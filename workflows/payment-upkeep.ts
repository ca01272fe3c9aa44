import { proxyActivities, setWorkflowOptions } from '@temporalio/workflow'
import type { PaymentActivities } from '../activities/payments.ts'
import { VENUES_QUEUE } from '../src/base/task-queues.ts'
import { roundsOptions, scheduled, stayPinned } from './rounds.ts'

const { checkFailedPayments } = proxyActivities<PaymentActivities>({
  ...roundsOptions,
  taskQueue: VENUES_QUEUE,
  summary: 'look once more at authorisations that failed and have lapsed',
})

/** Finds payment authorisations that were used after the payment had failed. Runs every hour. */
export const paymentUpkeep = () => scheduled(checkFailedPayments)
setWorkflowOptions(stayPinned, paymentUpkeep)
