import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  type WorkflowStartOptions,
} from '@temporalio/client'
import { HOUR_MS, SECOND_MS } from '../../base/durations.ts'
import { START_TIMEOUT_MS } from './updates.ts'

/** A workflow and its start. The database has all that a run knows, so any run may replace it. */
export type Run = { type: string; options: WorkflowStartOptions }

/** How a workflow got a new run; false if its run can continue. */
export type Resumed = 'started' | 'replaced' | false

/** Workers die too, and a task is retried; a run that cannot be replayed fails every time. */
const MAX_TASK_ATTEMPTS = 3
/** With the retries of our workflows, reached in less than two minutes. */
const MAX_ACTIVITY_ATTEMPTS = 10
/** The failure of an activity that waits for the database; a new run would wait too. */
export const UNAVAILABLE = 'Unavailable'

/** A run that replaced another is left alone for a minute; doubles with each, up to an hour. */
const FIRST_CHANCE_MS = 30 * SECOND_MS
const replacedBefore = ({ memo }: WorkflowExecutionDescription) => Number(memo?.replaced ?? 0)
const chanceMs = (replaced: number) => Math.min(FIRST_CHANCE_MS * 2 ** replaced, HOUR_MS)

/** Starts a workflow; false when it is running. */
export async function startNew(client: Client, { type, options }: Run): Promise<boolean> {
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

/** Starts the missing runs of workflows. */
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
    /** Starts a workflow that does not run, or replaces a run that cannot continue. */
    async resume(run: Run): Promise<Resumed> {
      const how = (await start(run)) ? 'started' : (await replace(run)) && 'replaced'
      if (how) note(run.type, run.options.workflowId, how)
      return how
    },
  }
}

/** Whether a run was started by hand: on a queue that is not ours, or to begin later. */
const isElsewhere = (
  { taskQueue, startTime, executionTime = startTime }: WorkflowExecutionDescription,
  options: WorkflowStartOptions,
): boolean =>
  taskQueue !== options.taskQueue ||
  // Both are of the server's clock, which may be ahead of ours.
  (executionTime > startTime && executionTime.getTime() > Date.now())

/**
 * Whether the workflow tasks of a run keep failing, or an activity without time limit that waits
 * for nobody: those on their own queues wait for venues, providers and guests.
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
