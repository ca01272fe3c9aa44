import { BOOKINGS_QUEUE } from '../base/task-queues.ts'
import type { Context } from '../contract/operation.ts'
import type { EngineParts } from '../contract/room.ts'
import type { Resumed } from '../platform/temporal/runs.ts'
import { summarized } from '../platform/temporal/summarized.ts'
import { createUpdates, unavailable } from '../platform/temporal/updates.ts'
import { ADVANCE_UPDATE, type ClockStart, clockWorkflowId } from './rules/test-clocks.ts'

/** The client for the workflows of test clocks. `stopWaiting` ends all waits. */
export function createClockEngine({ client, runs, stopWaiting }: EngineParts) {
  const { awaitUpdate } = createUpdates(client, stopWaiting)

  return {
    /** Starts the workflow of a clock if it has none or its run cannot continue. */
    resumeClock: (start: ClockStart): Promise<Resumed> => runs.resume(runOf(start)),
    /**
     * Moves a clock to the target in its row and waits up to `waitSeconds`. `pending`: the move
     * continues without the caller. Throws `booking_engine_unavailable`.
     */
    advanceClock: (start: ClockStart, target: Date, waitSeconds: number) =>
      awaitUpdate<'ready', []>(
        {
          ...runOf(start),
          signalInstead: () => runs.start(runOf(start)),
          unavailable: () => unavailable({ test_clock_id: start.accountId }),
        },
        { name: ADVANCE_UPDATE, id: target.toISOString(), args: [], waitSeconds },
      ),
  }
}

/** Maximum length of a name in a summary, so that its closing backtick is not cut off. */
const SUMMARY_CHARS = 60

/** The Temporal UI renders Markdown and anybody can name a clock, so its name is shown as code. */
const runOf = ({ name, ...start }: ClockStart) => ({
  type: 'testClock',
  options: {
    taskQueue: BOOKINGS_QUEUE,
    workflowId: clockWorkflowId(start.accountId),
    args: [{ ...start, name: name.replaceAll('`', "'") }],
    ...summarized(`Test clock \`${name.replaceAll('`', "'").slice(0, SUMMARY_CHARS)}\``),
  },
})

export type ClockEngine = ReturnType<typeof createClockEngine>
export type ClockContext = Context<{ engine: ClockEngine }>
