import { proxyActivities, setWorkflowOptions } from '@temporalio/workflow'
import type { PaymentActivities } from '../activities/payments.ts'
import { VENUES_QUEUE } from '../src/contract/rules/task-queues.ts'
import { once, roundsOptions } from './rounds.ts'
import { stayPinned } from './stay-pinned.ts'

const { refundInRounds } = proxyActivities<PaymentActivities>({
  ...roundsOptions,
  taskQueue: VENUES_QUEUE,
  summary: 'send payments back that are due back',
})

/** Sends back what was paid for bookings that ended without their fee, every 30 s. */
export const paymentUpkeep = (rounds = once) => refundInRounds(rounds)
setWorkflowOptions(stayPinned, paymentUpkeep)
