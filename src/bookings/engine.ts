import { setTimeout } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { MINUTE_MS } from '../base/durations.ts'
import { bookingWorkflowId } from '../base/ids.ts'
import { BOOKINGS_QUEUE } from '../base/task-queues.ts'
import type { Context } from '../contract/operation.ts'
import type { EngineParts } from '../contract/room.ts'
import { announce, clockSignal } from '../platform/temporal/announce.ts'
import { type Resumed, startNew } from '../platform/temporal/runs.ts'
import { summarized } from '../platform/temporal/summarized.ts'
import { createUpdates, START_TIMEOUT_MS, unavailable } from '../platform/temporal/updates.ts'
import type { StepDeps } from './hooks.ts'
import {
  type BookingStart,
  COMMAND_UPDATE,
  COMMANDS_SUBMITTED_SIGNAL,
  CONFIRM_UPDATE,
  type CommandAnswer,
  type ConfirmAnswer,
  type SubmittedCommand,
  summaryOf,
  VENUE_RESPONDED_SIGNAL,
} from './rules/booking-messages.ts'
import type { TimelineSigner } from './rules/timeline.ts'
import type { LocalWorker } from './steps/booking-answers.ts'

/** A wait for an answer: the update to send, or the signal to send if nobody waits. */
type Wait<A> = {
  name: string
  id: string
  args: A
  waitSeconds: number
  signalInstead(start: BookingStart): Promise<unknown>
}

/** How long a caller pauses before joining the next update. Doubles each time, up to a second. */
const REJOIN_MS = 100
const MAX_REJOIN_MS = 1_000
/** How long the local worker may take to decide a booking started here before an update is sent. */
const HANDED_OVER_MS = 2_000

/** Starts bookings or joins running ones. All methods throw `booking_engine_unavailable`. */
export type BookingEngine = {
  /**
   * Starts the booking's workflow unless it is running, and waits up to `waitSeconds` (0 to 60) for
   * the answer. `pending`: the workflow continues without the caller. A worker in this process
   * decides while the workflow starts.
   */
  confirm(start: BookingStart, waitSeconds: number): Promise<ConfirmAnswer | 'pending'>
  /**
   * Announces a stored command to the booking's workflow, restarting one that has ended, and waits
   * up to `waitSeconds` for the answer. `pending`: the workflow continues without the caller.
   */
  command(
    start: BookingStart,
    command: SubmittedCommand,
    waitSeconds: number,
  ): Promise<CommandAnswer | 'pending'>
  /**
   * Announces stored commands to the booking's workflow, restarting one that has ended, without
   * waiting. Repeating an `id` costs the running workflow nothing.
   */
  announceCommands(start: BookingStart, id: string): Promise<void>
  /** Starts the workflow of a booking unless it is running. */
  begin(start: BookingStart): Promise<unknown>
  /** Restarts a booking's workflow if it is lost or its run cannot continue. */
  resume(start: BookingStart): Promise<Resumed>
  /** Announces a stored response from the venue, as `announceCommands` does for commands. */
  venueResponded(start: BookingStart, id: string): Promise<void>
  /** Sends the test-clock time to the booking's workflow, restarting one that has ended. */
  notifyBookingTime(start: BookingStart, id: string): Promise<void>
}

/** Only a booking's first run is handed over; later runs start from the state in the database. */
const handedOver = {
  requestEagerStart: true,
  workflowIdReusePolicy: 'REJECT_DUPLICATE',
} as const

/** Starts the first run, and gives its first task to this client's worker if it has capacity. */
const handOver = (client: Client, start: BookingStart) =>
  client.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
    startNew(client, { type: 'booking', options: { ...workflowOptions(start), ...handedOver } }),
  )

/**
 * `stopWaiting` ends all waits, as if the callers' time were up. With a `local` worker, a booking's
 * first task is not polled for, and the caller need not wait for a workflow update.
 */
export function createBookingEngine({
  client,
  runs,
  stopWaiting,
  local,
}: EngineParts & { local?: LocalWorker | undefined }): BookingEngine {
  const { awaitUpdate } = createUpdates(client, stopWaiting)

  /**
   * Temporal allows ten updates of a workflow in flight. The workflow therefore ends each update
   * with the minute in which it was sent: all callers in a minute share one update, and callers
   * that wait longer join the next, as they do when the run continues as new.
   */
  const awaitAnswer = async <R, A extends unknown[]>(
    start: BookingStart,
    { name, id, args, waitSeconds, signalInstead }: Wait<A>,
  ): Promise<R | 'pending'> => {
    const patience = Date.now() + waitSeconds * 1000
    let isAnnounced = false
    const answering = {
      ...runOf(start),
      async signalInstead() {
        if (!isAnnounced) await signalInstead(start)
        isAnnounced = true
      },
      unavailable: () => unavailable({ booking_id: start.bookingId }),
    }
    for (let pauseMs = REJOIN_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_REJOIN_MS)) {
      const now = Date.now()
      const minute = Math.floor(now / MINUTE_MS)
      const answer = await awaitUpdate<R, [...A, number]>(answering, {
        name,
        id: `${id}/${minute}`,
        args: [...args, (minute + 1) * MINUTE_MS - now],
        waitSeconds: Math.max(0, patience - now) / 1000,
      })
      const isOver = Date.now() + pauseMs >= patience || stopWaiting.aborted
      if (answer !== 'pending' || isOver) return answer
      await setTimeout(pauseMs, undefined, { signal: stopWaiting }).catch(() => {})
    }
  }

  const signal = (signalName: string) => (start: BookingStart, id: string) =>
    announce(client, {
      workflowType: 'booking',
      workflow: workflowOptions(start),
      signalName,
      id: `${signalName} ${id}`,
    })
  const announceCommands = signal(COMMANDS_SUBMITTED_SIGNAL)

  return {
    confirm(start, waitSeconds) {
      const patience = Date.now() + waitSeconds * 1000
      const ask = () =>
        awaitAnswer<ConfirmAnswer, []>(start, {
          name: CONFIRM_UPDATE,
          id: CONFIRM_UPDATE,
          args: [],
          waitSeconds: Math.max(0, patience - Date.now()) / 1000,
          signalInstead: () => runs.start(runOf(start)),
        })
      if (!local || waitSeconds === 0) return ask()
      return local.answers.first(start.bookingId, async (isAnswered) => {
        const startNew = () => handOver(local.client, start)
        const isStarted = local.answers.begin(start, startNew)
        const outOfPatience = setTimeout(patience - Date.now(), false, { signal: isAnswered })
        if (await Promise.race([isStarted, outOfPatience])) {
          const most = Math.min(HANDED_OVER_MS, patience - Date.now())
          await setTimeout(most, undefined, { signal: isAnswered }).catch(() => {})
        }
        return isAnswered.aborted ? 'pending' : ask()
      })
    },
    command: (start, command, waitSeconds) =>
      awaitAnswer<CommandAnswer, [SubmittedCommand]>(start, {
        name: COMMAND_UPDATE,
        id: command.id,
        args: [command],
        waitSeconds,
        signalInstead: () => announceCommands(start, command.id),
      }),
    announceCommands,
    begin: (start) => runs.start(runOf(start)),
    resume: (start) => runs.resume(runOf(start)),
    venueResponded: signal(VENUE_RESPONDED_SIGNAL),
    notifyBookingTime: (start, id) =>
      announce(client, {
        workflowType: 'booking',
        workflow: workflowOptions(start),
        ...clockSignal(start, id),
      }),
  }
}

// Search attributes would add 2 ms to a booking here; the workflow sets them off the critical path.
const workflowOptions = (start: BookingStart) => ({
  taskQueue: BOOKINGS_QUEUE,
  workflowId: bookingWorkflowId(start.bookingId),
  args: [start],
  ...summarized(summaryOf(start)),
})

const runOf = (start: BookingStart) => ({ type: 'booking', options: workflowOptions(start) })

/** Services used by operations on bookings. */
export type BookingServices = {
  engine: BookingEngine
  timelineSigner: TimelineSigner
  /** for steps that will be rolled back */
  dryRunDeps: StepDeps
}
export type BookingContext = Context<BookingServices>
