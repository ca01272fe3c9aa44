import { setTimeout } from 'node:timers/promises'
import { MINUTE_MS } from '../base/durations.ts'
import { bookingWorkflowId } from '../base/ids.ts'
import { BOOKINGS_QUEUE } from '../base/task-queues.ts'
import type { Context } from '../contract/operation.ts'
import type { EngineParts } from '../contract/room.ts'
import { announce, clockSignal } from '../platform/temporal/announce.ts'
import type { Resumed } from '../platform/temporal/runs.ts'
import { summarized } from '../platform/temporal/summarized.ts'
import { createUpdates, unavailable } from '../platform/temporal/updates.ts'
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
/** How long a new workflow leaves its booking to the process that started it. */
const DECIDED_WITHIN_MS = 500

/** Starts bookings or joins running ones. All methods throw `booking_engine_unavailable`. */
export type BookingEngine = {
  /**
   * Starts the booking's workflow unless it is running, and waits up to `waitSeconds` (0 to 60) for
   * the answer. `pending`: the workflow continues without the caller. A new booking is decided here
   * once its workflow is durable.
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

/** Runs the step that decides a new booking; null if somebody else has to answer. */
export type DecideHere = (start: BookingStart) => Promise<ConfirmAnswer | null>

/**
 * `stopWaiting` ends all waits, as if the callers' time were up. Without `decide`, workflows decide
 * all bookings.
 */
export function createBookingEngine({
  client,
  runs,
  stopWaiting,
  decide,
}: EngineParts & { decide?: DecideHere | undefined }): BookingEngine {
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

  /**
   * Starts a workflow that leaves its first moment to this process, which decides the booking
   * meanwhile; whichever comes second finds the decision. Null if that takes longer than `ms`.
   */
  const decideBeside = async (start: BookingStart, ms: number): Promise<ConfirmAnswer | null> => {
    if (!decide || ms <= 0) return null
    const isOver = new AbortController()
    const options = { ...workflowOptions(start), startDelay: DECIDED_WITHIN_MS }
    const deciding = runs.start({ type: 'booking', options }).then(
      (isNew) => (isNew ? decide(start) : null),
      () => Promise.reject(unavailable({ booking_id: start.bookingId })),
    )
    deciding.catch(() => {})
    const outOfPatience = setTimeout(ms, null, { signal: isOver.signal })
    return await Promise.race([deciding, outOfPatience]).finally(() => isOver.abort())
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
    async confirm(start, waitSeconds) {
      const patience = Date.now() + waitSeconds * 1000
      const answer = await decideBeside(start, waitSeconds * 1000)
      if (answer) return answer
      return awaitAnswer<ConfirmAnswer, []>(start, {
        name: CONFIRM_UPDATE,
        id: CONFIRM_UPDATE,
        args: [],
        waitSeconds: Math.max(0, patience - Date.now()) / 1000,
        signalInstead: () => runs.start(runOf(start)),
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
  /** Authorises the fee of a hold that is about to be confirmed, if its account's card pays. */
  authorizeFee?: ((bookingId: string) => Promise<void>) | undefined
}
export type BookingContext = Context<BookingServices>
