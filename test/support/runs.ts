import type { WorkflowHandle } from '@temporalio/client'
import { eventually } from './programs.ts'

/** Waits until a run has nothing left to do. */
export const untilIdle = (run: WorkflowHandle) =>
  eventually('the run to be idle', async () => {
    const { pendingActivities, pendingWorkflowTask } = (await run.describe()).raw
    return pendingActivities?.length === 0 && !pendingWorkflowTask
  })
