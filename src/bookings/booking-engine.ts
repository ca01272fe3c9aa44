import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import { bookingWorkflowId } from '../contract/rules/ids.ts'
import { BOOKINGS_QUEUE } from '../contract/rules/task-queues.ts'
import {
  createUpdates,
  START_TIMEOUT_MS,
  type Update,
  unavailable,
} from '../platform/temporal/updates.ts'
import type { StepDeps } from './hooks.ts'
import {
  type BookingStart,
  COMMAND_UPDATE,
  COMMANDS_SUBMITTED_SIGNAL,
  CONFIRM_UPDATE,
  type CommandAnswer,
  type ConfirmAnswer,
  type SubmittedCommand,
  VENUE_RESPONDED_SIGNAL,
} from './rules/booking-messages.ts'
import type { TimelineSigner } from './rules/timeline.ts'

/** Starts bookings or joins running ones. All throw `booking_engine_unavailable`. */
export type BookingEngine = {
  /**
   * Starts the booking's workflow unless it runs, and waits up to `waitSeconds` (0 to 60) for the
   * answer. `pending`: the workflow continues without the caller.
   */
  confirm(start: BookingStart, waitSeconds: number): Promise<ConfirmAnswer | 'pending'>
  /**
   * Announces a stored command to the booking's workflow, started again if it has ended, and waits
   * up to `waitSeconds` for the answer. `pending`: the workflow continues without the caller.
   */
  command(
    start: BookingStart,
    command: SubmittedCommand,
    waitSeconds: number,
  ): Promise<CommandAnswer | 'pending'>
  /** Announces stored commands to the booking's workflow, and does not wait. */
  announceCommands(start: BookingStart): Promise<void>
  /** Starts the workflow of a booking that has none; false when it is running. */
  resume(start: BookingStart): Promise<boolean>
  /** Announces a stored response of the venue to the workflow, started again if it has ended. */
  venueResponded(start: BookingStart): Promise<void>
}

/** `stopWaiting` ends all waits, as if the callers' patience had ended. */
export function createBookingEngine(client: Client, stopWaiting: AbortSignal): BookingEngine {
  const { within, awaitUpdate } = createUpdates(client, stopWaiting)

  const resume = (start: BookingStart) =>
    within(START_TIMEOUT_MS, async () => {
      try {
        await client.workflow.start('booking', workflowOptions(start))
        return true
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false
        throw error
      }
    })

  const awaitAnswer = <R, A extends unknown[]>(
    start: BookingStart,
    update: Update<A>,
    signalInstead: (start: BookingStart) => Promise<unknown>,
  ) =>
    awaitUpdate<R, A>(
      {
        type: 'booking',
        options: workflowOptions(start),
        signalInstead: () => signalInstead(start),
        unavailable: () => unavailable({ booking_id: start.bookingId }),
      },
      update,
    )

  const signal = (signal: string) => (start: BookingStart) =>
    within(START_TIMEOUT_MS, async () => {
      await client.workflow.signalWithStart('booking', { ...workflowOptions(start), signal })
    })
  const announceCommands = signal(COMMANDS_SUBMITTED_SIGNAL)

  return {
    confirm(start, waitSeconds) {
      const update: Update<[]> = { name: CONFIRM_UPDATE, id: CONFIRM_UPDATE, args: [], waitSeconds }
      return awaitAnswer(start, update, resume)
    },
    command(start, command, waitSeconds) {
      const update = { name: COMMAND_UPDATE, id: command.id, args: [command], waitSeconds }
      return awaitAnswer(start, update, announceCommands)
    },
    announceCommands,
    resume,
    venueResponded: signal(VENUE_RESPONDED_SIGNAL),
  }
}

// Search attributes here would cost a booking 2 ms; the workflow sets them off the critical path.
const workflowOptions = (start: BookingStart) => ({
  taskQueue: BOOKINGS_QUEUE,
  workflowId: bookingWorkflowId(start.bookingId),
  args: [start],
  staticSummary: [
    `${start.partySize} at ${start.venueName}`,
    start.slotTime.replace('T', ' ').slice(0, 16),
  ].join(', '),
})

declare module '../contract/operation.ts' {
  interface Engine extends BookingEngine {}
  interface Services {
    timelineSigner: TimelineSigner
    /** for steps that are rolled back */
    dryRunDeps: StepDeps
  }
}
