import {
  ApplicationFailure,
  type Client,
  isGrpcDeadlineError,
  isGrpcServiceError,
  WithStartWorkflowOperation,
  type Workflow,
  type WorkflowStartOptions,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client'
import { type ErrorFacts, refuse } from '../../contract/rules/errors.ts'
import { BOOKINGS_QUEUE } from '../../contract/rules/task-queues.ts'
import { endWaitsOn } from './end-waits.ts'
import { readTaskQueue } from './task-queue.ts'

/** `id` makes it one update, however often it is sent. */
export type Update<A> = { name: string; id: string; args: A; waitSeconds: number }

/**
 * The workflow that answers an update, what is done and thrown when it does not answer in time, and what it amounts to when a run that
 * ends rejects it with this type, or has ended before it.
 */
export type Answering<R> = {
  type: string
  options: WorkflowStartOptions
  signalInstead(): Promise<unknown>
  unavailable(): Error
  rejected?: { type: string; answer: R }
}

/** A start is bounded by this, however short the caller's patience is. */
export const START_TIMEOUT_MS = 5_000

/** Waits for workflows to answer updates. `stopWaiting` ends all waits, as if the caller's patience had ended then. */
export function createUpdates(client: Client, stopWaiting: AbortSignal) {
  const within = <T>(ms: number, call: () => Promise<T>) =>
    client.withDeadline(Date.now() + ms, call)

  const hasWorker = async () => {
    const { pollers } = await within(START_TIMEOUT_MS, () =>
      readTaskQueue(client, BOOKINGS_QUEUE, 'workflow'),
    )
    return pollers.length > 0
  }

  const untilStopped = endWaitsOn(stopWaiting, client)

  const send = <R, A extends unknown[]>({ type, options }: Answering<R>, update: Update<A>) =>
    within(stopWaiting.aborted ? 0 : update.waitSeconds * 1000, () =>
      untilStopped(() =>
        client.workflow.executeUpdateWithStart<Workflow, R, A>(update.name, {
          updateId: update.id,
          args: update.args,
          startWorkflowOperation: new WithStartWorkflowOperation(type, {
            ...options,
            workflowIdConflictPolicy: 'USE_EXISTING',
          }),
        }),
      ),
    )

  return {
    within,
    /** Waits for the answer of a workflow, started unless it runs; when patience ends first, makes sure that somebody works on it. */
    async awaitUpdate<R, A extends unknown[]>(
      answering: Answering<R>,
      update: Update<A>,
    ): Promise<R | 'pending'> {
      try {
        return await send<R, A>(answering, update)
      } catch (error) {
        const { rejected } = answering
        if (rejected && isRejected(error, rejected.type)) return rejected.answer
        if (!isTimeout(error)) throw answering.unavailable()
      }
      try {
        await answering.signalInstead()
        if (await hasWorker()) return 'pending'
      } catch {
        throw answering.unavailable()
      }
      throw answering.unavailable()
    },
  }
}

/** gRPC: the update could not be executed, as the run that was to take it had just ended. */
const FAILED_PRECONDITION = 9

const isRejected = (error: unknown, type: string) =>
  error instanceof WorkflowUpdateFailedError
    ? error.cause instanceof ApplicationFailure && error.cause.type === type
    : isGrpcServiceError(error) && error.code === FAILED_PRECONDITION

const isTimeout = (error: unknown) =>
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error)

/** Nothing can run the workflow now; `facts` name what it is about. */
export const unavailable = (facts: ErrorFacts) =>
  refuse('booking_engine_unavailable', undefined, { ...facts, retry_after: 5 })
