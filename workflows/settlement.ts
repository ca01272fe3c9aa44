import {
  allHandlersFinished,
  condition,
  defineUpdate,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
} from '@temporalio/workflow'
import type { PaymentActivities } from '../activities/payments.ts'
import { VENUES_QUEUE } from '../src/contract/rules/task-queues.ts'
import { SETTLED_UPDATE, type SettlementStart } from '../src/x402/rules/settlement-start.ts'
import { stayPinned } from './stay-pinned.ts'

const { settleOwed } = proxyActivities<PaymentActivities>({
  taskQueue: VENUES_QUEUE,
  startToCloseTimeout: '60s',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
  summary: 'settle the payment, or ask what became of it',
})

const settled = defineUpdate<'over'>(SETTLED_UPDATE)

/**
 * Settles a payment by x402 for what an account owes, however long it takes to learn what became
 * of it. The activity stores the outcome with what follows from it, so a lost run is made up for
 * by another.
 */
export async function settlement({ paymentId, text }: SettlementStart): Promise<void> {
  let isOver = false
  setHandler(settled, async () => {
    await condition(() => isOver)
    return 'over' as const
  })
  setCurrentDetails(`Payment \`${paymentId}\` of **${text}** by x402`)
  await settleOwed(paymentId)
  isOver = true
  await condition(allHandlersFinished)
}
setWorkflowOptions(stayPinned, settlement)
