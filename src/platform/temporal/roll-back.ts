import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import {
  behaves,
  countOf,
  type Deployment,
  readRouting,
  runningOn,
  setCurrent,
  setRamping,
  until,
} from './deployments.ts'

const { BATCH_OPERATION_STATE_RUNNING } = proto.temporal.api.enums.v1.BatchOperationState
const { PINNED_OVERRIDE_BEHAVIOR_PINNED } =
  proto.temporal.api.workflow.v1.VersioningOverride.PinnedOverrideBehavior
const { EventType } = proto.temporal.api.enums.v1
const endsOfTasks: unknown[] = [
  EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT,
]
const PINNED_WITHIN_MS = 300_000
/** A server lists what happened to a workflow a moment later. */
const LISTED_WITHIN_MS = 3_000
/** A server changes 50 workflows a second. */
const BATCH_WITHIN_MS = 3_600_000
const REASON = 'Worker Versioning'

type Override = NonNullable<
  Parameters<typeof proto.temporal.api.workflow.v1.VersioningOverride.create>[0]
>

/**
 * Goes back to `buildId`. What has had a task on `abandoned` stays there, pinned, since older code
 * may not know what newer code has written; everything else goes on with `buildId`. Returns how
 * many workflows stayed.
 */
export async function rollBack(
  at: Deployment,
  abandoned: string,
  buildId: string | undefined,
): Promise<number> {
  const { client, name: deploymentName } = at
  const movable = `${runningOn(at, abandoned)} and ${behaves('AutoUpgrade')}`
  const version = { deploymentName, buildId: abandoned }
  const pinned = { pinned: { version, behavior: PINNED_OVERRIDE_BEHAVIOR_PINNED } }
  const pin = () => overrideAll(client, movable, pinned)
  // Before, so that hardly one meets older code; and after, for those that moved in the meantime.
  await pin()
  if ((await readRouting(at)).ramping) await setRamping(at, undefined, 0)
  await setCurrent(at, buildId)
  let emptySince: number | undefined
  const areAllPinned = async () => {
    if ((await countOf(client, movable)) === 0) {
      emptySince ??= performance.now()
      return performance.now() - emptySince >= LISTED_WITHIN_MS
    }
    emptySince = undefined
    await pin()
    await turnRound(client, movable, pinned)
    return false
  }
  await until(
    areAllPinned,
    () => `Workflows still move away from ${abandoned}. These are not pinned: ${movable}`,
    PINNED_WITHIN_MS,
  )
  return countOf(client, runningOn(at, abandoned))
}

/**
 * Ends what `rollBack` began: workflows on that version move to the current one with their next
 * task. Returns how many.
 */
export async function unpin(at: Deployment, buildId: string): Promise<number> {
  await overrideAll(at.client, `${runningOn(at, buildId)} and ${behaves('Pinned')}`, null)
  await setTimeout(LISTED_WITHIN_MS)
  return countOf(at.client, `${runningOn(at, buildId)} and ${behaves('AutoUpgrade')}`)
}

/**
 * Resets workflows whose task older code has failed, and pins the new run. The server gives their
 * tasks to the version that they move to until one succeeds there, and pinning does not end that
 * (1.32, `updateVersioningOverride`). The new run goes on where the task failed.
 */
async function turnRound(client: Client, query: string, versioningOverride: Override) {
  const { namespace } = client.options
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    const handle = client.workflow.getHandle(workflowId, runId)
    const { raw } = await handle.describe()
    const isMoving = raw.workflowExecutionInfo?.versioningInfo?.versionTransition
    if (!isMoving || (raw.pendingWorkflowTask?.attempt ?? 1) === 1) continue
    const { events } = await handle.fetchHistory()
    const failed = events?.findLast(({ eventType }) => endsOfTasks.includes(eventType))
    if (!failed?.eventId) continue
    await client.workflowService.resetWorkflowExecution({
      namespace,
      workflowExecution: { workflowId, runId },
      reason: REASON,
      requestId: randomUUID(),
      workflowTaskFinishEventId: failed.eventId,
      postResetOperations: [{ updateWorkflowOptions: optionsOf(versioningOverride) }],
    })
  }
}

const optionsOf = (versioningOverride: Override | null) => ({
  workflowExecutionOptions: { versioningOverride },
  updateMask: { paths: ['versioning_override'] },
})

/** Sets the override of all workflows of a query, or removes it; returns when all are done. */
async function overrideAll(client: Client, visibilityQuery: string, override: Override | null) {
  const { namespace } = client.options
  const jobId = randomUUID()
  await client.workflowService.startBatchOperation({
    namespace,
    jobId,
    visibilityQuery,
    reason: REASON,
    updateWorkflowOptionsOperation: optionsOf(override),
  })
  await until(
    async () => {
      const { state } = await client.workflowService.describeBatchOperation({ namespace, jobId })
      return state !== BATCH_OPERATION_STATE_RUNNING
    },
    () => `The batch operation ${jobId} is still running.`,
    BATCH_WITHIN_MS,
  )
}
