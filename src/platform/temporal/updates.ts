import { setTimeout } from 'node:timers/promises'
import {
  ApplicationFailure,
  type Client,
  isGrpcDeadlineError,
  isGrpcServiceError,
  ServiceError,
  WithStartWorkflowOperation,
  type Workflow,
  type WorkflowStartOptions,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client'
import { type ErrorFacts, refuse } from '../../base/errors.ts'
import { readTaskQueue } from './queues.ts'

/** updates with the same `id` count as one */
type Update<A> = { name: string; id: string; args: A; waitSeconds: number }

type Answering<R> = {
  /** the workflow that answers; started if it is not running */
  type: string
  options: WorkflowStartOptions
  /** called if no answer came in time or the server refused the update */
  signalInstead(): Promise<unknown>
  unavailable(): Error
  /**
   * For an update that is stored nowhere else: the answer if an ending run rejects it with this
   * type, if the run has already ended, or if too many updates are in flight.
   */
  rejected?: { type: string; answer: R }
}

/** Time limit for starting a workflow, even if the caller wants a shorter wait. */
export const START_TIMEOUT_MS = 5_000

/** Waits longer than this end early if the server stops answering. */
const CHECK_EVERY_MS = 3_000
const CHECK_TIMEOUT_MS = 2_000

/** Resolves once the server has left two probes unanswered; all waits share the probes. */
function createWatch(client: Client) {
  let asking: Promise<boolean> | undefined
  const ask = () => {
    const { namespace } = client.options
    asking ??= client
      .withDeadline(Date.now() + CHECK_TIMEOUT_MS, () =>
        client.workflowService.describeNamespace({ namespace }),
      )
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asking = undefined
      })
    return asking
  }
  return async (isOver: AbortSignal): Promise<'silent'> => {
    for (;;) {
      await setTimeout(CHECK_EVERY_MS, undefined, { signal: isOver })
      if (!(await ask()) && !(await ask())) return 'silent'
    }
  }
}

/**
 * Runs calls that are cancelled when `stop` aborts. Each has its own signal, because the client
 * never removes its listeners: a shared signal would keep every request in memory.
 */
function endWaitsOn(stop: AbortSignal, client: Client) {
  const waits = new Set<AbortController>()
  stop.addEventListener('abort', () => {
    for (const wait of waits) wait.abort()
  })
  return async <T>(wait: AbortController, call: () => Promise<T>): Promise<T> => {
    waits.add(wait)
    try {
      return await client.withAbortSignal(wait.signal, call)
    } finally {
      waits.delete(wait)
    }
  }
}

/** Waits for workflows to answer updates. `stopWaiting` ends all waits as if they had timed out. */
export function createUpdates(client: Client, stopWaiting: AbortSignal) {
  const within = <T>(ms: number, call: () => Promise<T>) =>
    client.withDeadline(Date.now() + ms, call)

  const hasWorker = async (taskQueue: string) => {
    const { pollers } = await within(START_TIMEOUT_MS, () =>
      readTaskQueue(client, taskQueue, 'workflow'),
    )
    return pollers.length > 0
  }

  const untilStopped = endWaitsOn(stopWaiting, client)
  const untilSilent = createWatch(client)

  const send = <R, A extends unknown[]>(
    { type, options }: Answering<R>,
    update: Update<A>,
    wait: AbortController,
  ) =>
    within(stopWaiting.aborted ? 0 : update.waitSeconds * 1000, () =>
      untilStopped(wait, () =>
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
    /**
     * Waits for an answer. `pending` promises that a worker is there to answer later. A server that
     * refuses the update, because the run has too many, still accepts a signal.
     */
    async awaitUpdate<R, A extends unknown[]>(
      answering: Answering<R>,
      update: Update<A>,
    ): Promise<R | 'pending'> {
      const [wait, isOver] = [new AbortController(), new AbortController()]
      const answered = send<R, A>(answering, update, wait).then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      )
      const outcome = await Promise.race([answered, untilSilent(isOver.signal)])
      isOver.abort()
      if (outcome === 'silent') {
        wait.abort()
        throw answering.unavailable()
      }
      if ('answer' in outcome) return outcome.answer
      const { rejected } = answering
      if (rejected && isRejected(outcome.error, rejected.type)) return rejected.answer
      if (rejected && !isTimeout(outcome.error)) throw answering.unavailable()
      try {
        await answering.signalInstead()
        if (await hasWorker(answering.options.taskQueue)) return 'pending'
      } catch {
        throw answering.unavailable()
      }
      throw answering.unavailable()
    },
  }
}

/** gRPC: too many updates are in flight. */
const RESOURCE_EXHAUSTED = 8
/** gRPC: the run has just ended, or accepts no more updates. */
const FAILED_PRECONDITION = 9

const isRejected = (error: unknown, type: string) =>
  error instanceof WorkflowUpdateFailedError
    ? error.cause instanceof ApplicationFailure && error.cause.type === type
    : [RESOURCE_EXHAUSTED, FAILED_PRECONDITION].includes(grpcCode(error))

function grpcCode(error: unknown): number {
  if (isGrpcServiceError(error)) return error.code
  return error instanceof ServiceError ? grpcCode(error.cause) : 0
}

const isTimeout = (error: unknown) =>
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error)

/** `facts` identify the subject. */
export const unavailable = (facts: ErrorFacts) =>
  refuse('booking_engine_unavailable', undefined, { ...facts, retry_after: 5 })
