import { type Client, isGrpcServiceError } from '@temporalio/client'
import proto from '@temporalio/proto'
import { MINUTE_MS } from '../../base/durations.ts'
import { BOOKINGS_QUEUE, VENUES_QUEUE, WEBHOOKS_QUEUE } from '../../base/task-queues.ts'

const { TASK_QUEUE_TYPE_WORKFLOW, TASK_QUEUE_TYPE_ACTIVITY } =
  proto.temporal.api.enums.v1.TaskQueueType
/** A queue keeps workflow tasks and activity tasks separately under the same name. */
const taskQueueTypes = {
  workflow: TASK_QUEUE_TYPE_WORKFLOW,
  activity: TASK_QUEUE_TYPE_ACTIVITY,
}
type TaskKind = keyof typeof taskQueueTypes

/** Every queue in the network, with the kinds of tasks that its workers poll for. */
export const networkQueues: readonly [name: string, kind: TaskKind][] = [
  [BOOKINGS_QUEUE, 'workflow'],
  [BOOKINGS_QUEUE, 'activity'],
  [VENUES_QUEUE, 'activity'],
  [WEBHOOKS_QUEUE, 'workflow'],
  [WEBHOOKS_QUEUE, 'activity'],
]

/** A long poll lasts 60 s, so a worker that has not polled for longer is gone. */
const POLLER_GONE_MS = 75_000
const ANSWER_TIMEOUT_MS = 2_000

/** A queue's backlog, the age of its oldest task, and its live workers as `pid@host`. */
export async function readTaskQueue(client: Client, name: string, kind: TaskKind) {
  const { pollers, stats } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name },
    taskQueueType: taskQueueTypes[kind],
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

const RUNNING = `ExecutionStatus = 'Running'`
const TERMINATED =
  proto.temporal.api.enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED
const MAX_BROKEN = 1_000
/** Longer than the sweep could be down without being noticed. */
const ENDED_MS = 10 * MINUTE_MS

/** `isEnded`: the workflow might have had nothing more to do, or might have a new run by now. */
export type BrokenRun = { workflowId: string; isEnded: boolean }
const INVALID_ARGUMENT = 3

/** What the Temporal server says about itself; each call throws after 2 s without an answer. */
export function createServerState(client: Client) {
  const within = <T>(call: () => Promise<T>) =>
    client.withDeadline(Date.now() + ANSWER_TIMEOUT_MS, call)
  const readQueue = async ([name, kind]: (typeof networkQueues)[number]) => {
    const { pollers, ...stats } = await readTaskQueue(client, name, kind)
    return { name, kind, ...stats, workers: pollers.length }
  }
  return {
    queues: () => within(() => Promise.all(networkQueues.map(readQueue))),
    /** Throws if the server or the namespace cannot be reached. */
    async check() {
      const { namespace } = client.options
      await within(() => client.workflowService.describeNamespace({ namespace }))
    },
    /** Workflows whose tasks keep failing or that were recently terminated; up to a thousand. */
    async brokenRuns(at: Date): Promise<BrokenRun[]> {
      const since = new Date(at.getTime() - ENDED_MS).toISOString()
      const { executions } = await within(() =>
        client.workflowService.listWorkflowExecutions({
          namespace: client.options.namespace,
          pageSize: MAX_BROKEN,
          query:
            `(${RUNNING} and TemporalReportedProblems is not null) or ` +
            `(ExecutionStatus = 'Terminated' and CloseTime > '${since}')`,
        }),
      ).catch((error: unknown) => {
        // An older server lacks this attribute: such runs are found only if somebody waits.
        if (isGrpcServiceError(error) && error.code === INVALID_ARGUMENT) return { executions: [] }
        throw error
      })
      return executions.map(({ execution, status }) => ({
        workflowId: execution?.workflowId ?? '',
        isEnded: status === TERMINATED,
      }))
    },
    /** How many workflows of these types are running. */
    async countRunning(types: readonly string[]): Promise<number> {
      const names = types.map((type) => `'${type}'`).join(', ')
      const query = `${RUNNING} and WorkflowType in (${names})`
      return (await within(() => client.workflow.count(query))).count
    },
  }
}
export type ServerState = ReturnType<typeof createServerState>
