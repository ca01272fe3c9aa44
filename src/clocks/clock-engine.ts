import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import { BOOKINGS_QUEUE } from '../contract/rules/task-queues.ts'
import { summarized } from '../platform/temporal/summarized.ts'
import { createUpdates, START_TIMEOUT_MS, unavailable } from '../platform/temporal/updates.ts'
import { ADVANCE_UPDATE, type ClockStart, clockWorkflowId } from './rules/test-clocks.ts'

/** The client of the workflows of test clocks. `stopWaiting` ends all waits. */
export function createClockEngine(client: Client, stopWaiting: AbortSignal) {
  const { within, awaitUpdate } = createUpdates(client, stopWaiting)

  /** Starts the workflow of a clock that has none; false when it is running. */
  const resumeClock = (start: ClockStart) =>
    within(START_TIMEOUT_MS, async () => {
      try {
        await client.workflow.start('testClock', workflowOptions(start))
        return true
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false
        throw error
      }
    })

  return {
    resumeClock,
    /**
     * Has a clock move to the target in its row and waits up to `waitSeconds`. `pending`: it moves
     * on without the caller. Throws `booking_engine_unavailable`.
     */
    advanceClock: (start: ClockStart, target: Date, waitSeconds: number) =>
      awaitUpdate<'ready', []>(
        {
          type: 'testClock',
          options: workflowOptions(start),
          signalInstead: () => resumeClock(start),
          unavailable: () => unavailable({ test_clock_id: start.accountId }),
        },
        { name: ADVANCE_UPDATE, id: target.toISOString(), args: [], waitSeconds },
      ),
  }
}

const workflowOptions = (start: ClockStart) => ({
  taskQueue: BOOKINGS_QUEUE,
  workflowId: clockWorkflowId(start.accountId),
  args: [start],
  ...summarized(`Test clock ${start.name}`.slice(0, 200)),
})

declare module '../contract/operation.ts' {
  interface Engine extends ReturnType<typeof createClockEngine> {}
}
