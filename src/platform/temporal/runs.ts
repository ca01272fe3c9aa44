import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  type WorkflowStartOptions,
} from '@temporalio/client'
import { HOUR_MS, SECOND_MS } from '../../base/durations.ts'
import { START_TIMEOUT_MS } from './updates.ts'

/** A workflow and how to start it. Its state is in the database, so any run can be replaced. */
export type Run = { type: string; options: WorkflowStartOptions }
/** A run with a longer delay was not started by us. */
const MAX_DELAY_MS = 5 * SECOND_MS

/** How a workflow got its new run; false if it did not need one. */
export type Resumed = 'started' | 'replaced' | false

/** A task may fail because its worker died; a run that cannot be replayed fails every time. */
const MAX_TASK_ATTEMPTS = 3
/** Our workflows' retries reach this number in less than two minutes. */
const MAX_ACTIVITY_ATTEMPTS = 10
/** The failure type of activities that wait for the database; a new run would wait as well. */
export const UNAVAILABLE = 'Unavailable'

/** A run that replaced another gets a minute; each further one twice as long, up to an hour. */
const FIRST_CHANCE_MS = 30 * SECOND_MS
const replacedBefore = ({ memo }: WorkflowExecutionDescription) => Number(memo?.replaced ?? 0)
const chanceMs = (replaced: number) => Math.min(FIRST_CHANCE_MS * 2 ** replaced, HOUR_MS)

/** Starts a workflow; false if it is already running. */
async function startNew(client: Client, { type, options }: Run): Promise<boolean> {
  try {
    await client.workflow.start(type, options)
    return true
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false
    throw error
  }
}

/** Counts and logs a lost or stuck workflow. */
export type NoteResumed = (type: string, workflowId: string, how: 'started' | 'replaced') => void

export type Runs = ReturnType<typeof createRuns>

/** Starts missing runs and replaces runs that cannot continue. */
export function createRuns(client: Client, note: NoteResumed = () => {}) {
  const within = <T>(call: () => Promise<T>) =>
    client.withDeadline(Date.now() + START_TIMEOUT_MS, call)

  const start = (run: Run) => within(() => startNew(client, run))

  /** Replaces a run that cannot continue; returns whether it did. */
  const replace = ({ type, options }: Run) =>
    within(async () => {
      const now = await client.workflow.getHandle(options.workflowId).describe()
      const replaced = replacedBefore(now)
      const isNew = Date.now() - now.startTime.getTime() < chanceMs(replaced)
      if (!(cannotGoOn(now) || isElsewhere(now, options)) || (replaced > 0 && isNew)) return false
      const memo = { ...options.memo, replaced: replaced + 1 }
      const instead = { workflowIdConflictPolicy: 'TERMINATE_EXISTING', memo } as const
      return startNew(client, { type, options: { ...options, ...instead } })
    })

  return {
    start,
    /** Starts a workflow that is not running, or replaces a run that cannot continue. */
    async resume(run: Run): Promise<Resumed> {
      const how = (await start(run)) ? 'started' : (await replace(run)) && 'replaced'
      if (how) note(run.type, run.options.workflowId, how)
      return how
    },
  }
}

/** Whether a run was started by hand: on a queue that is not ours, or with a delay. */
const isElsewhere = (
  { taskQueue, startTime, executionTime = startTime }: WorkflowExecutionDescription,
  options: WorkflowStartOptions,
): boolean =>
  taskQueue !== options.taskQueue ||
  // Both times come from the server's clock, which may be ahead of ours.
  (executionTime > startTime && executionTime.getTime() > Date.now() + MAX_DELAY_MS)

/**
 * Whether a run's workflow tasks keep failing, or an activity that has no time limit and waits for
 * nobody does: only activities on other queues wait for venues, providers and guests.
 */
function cannotGoOn({ raw, taskQueue }: WorkflowExecutionDescription): boolean {
  if ((raw.pendingWorkflowTask?.attempt ?? 0) > MAX_TASK_ATTEMPTS) return true
  return (raw.pendingActivities ?? []).some(
    ({ attempt, maximumAttempts, expirationTime, lastFailure, activityOptions }) =>
      (attempt ?? 0) > MAX_ACTIVITY_ATTEMPTS &&
      !maximumAttempts &&
      !expirationTime &&
      lastFailure?.applicationFailureInfo?.type !== UNAVAILABLE &&
      (activityOptions?.taskQueue?.name ?? taskQueue) === taskQueue,
  )
}
