import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import { BOOKINGS_QUEUE } from '../contract/rules/task-queues.ts'
import { summarized } from '../platform/temporal/summarized.ts'
import { createUpdates, START_TIMEOUT_MS, unavailable } from '../platform/temporal/updates.ts'
import {
  SETTLED_UPDATE,
  type SettlementStart,
  settlementWorkflowId,
} from './rules/settlement-start.ts'

/** The client of the workflows that settle what accounts owe. `stopWaiting` ends all waits. */
export function createSettlementEngine(client: Client, stopWaiting: AbortSignal) {
  const { within, awaitUpdate } = createUpdates(client, stopWaiting)

  /** Starts the workflow of a payment that has none; false when it is running. */
  const resumeSettlement = (start: SettlementStart) =>
    within(START_TIMEOUT_MS, async () => {
      try {
        await client.workflow.start('settlement', workflowOptions(start))
        return true
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false
        throw error
      }
    })

  return {
    resumeSettlement,
    /**
     * Has a payment settled and waits up to `waitSeconds`. `pending`: it goes on without the
     * caller. Throws `booking_engine_unavailable`.
     */
    settlePayment: (start: SettlementStart, waitSeconds: number) =>
      awaitUpdate<'over', []>(
        {
          type: 'settlement',
          options: workflowOptions(start),
          signalInstead: () => resumeSettlement(start),
          unavailable: () => unavailable({ payment_id: start.paymentId }),
        },
        { name: SETTLED_UPDATE, id: start.paymentId, args: [], waitSeconds },
      ),
  }
}

const workflowOptions = (start: SettlementStart) => ({
  taskQueue: BOOKINGS_QUEUE,
  workflowId: settlementWorkflowId(start.paymentId),
  args: [start],
  ...summarized(`Payment of ${start.text} by x402`),
})

declare module '../contract/operation.ts' {
  interface Engine extends ReturnType<typeof createSettlementEngine> {}
}
