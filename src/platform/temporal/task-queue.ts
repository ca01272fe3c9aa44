import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'

const { TaskQueueType } = proto.temporal.api.enums.v1
/** Workflow tasks and activity tasks wait apart, under one name. */
export type TaskKind = 'workflow' | 'activity'

const types: Record<TaskKind, number> = {
  workflow: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  activity: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
}
/** A worker's long poll lasts 60 s, so one that has not asked for this long is gone. */
const POLLER_GONE_MS = 75_000

/** What waits in a queue for workers, and the identities (`pid@host`) of the workers that take from it now. */
export type TaskQueueState = { backlog: number; oldestSeconds: number; pollers: string[] }

/** Asks the Temporal server about one half of a queue. */
export async function readTaskQueue(
  client: Client,
  taskQueue: string,
  kind: TaskKind,
): Promise<TaskQueueState> {
  const { pollers, stats } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: types[kind],
    reportStats: true,
  })
  const alive = pollers.filter(({ lastAccessTime }) => {
    const seconds = Number(lastAccessTime?.seconds ?? 0)
    return Date.now() - seconds * 1000 < POLLER_GONE_MS
  })
  return {
    backlog: Number(stats?.approximateBacklogCount ?? 0),
    oldestSeconds: Number(stats?.approximateBacklogAge?.seconds ?? 0),
    pollers: alive.map(({ identity }) => identity ?? ''),
  }
}
