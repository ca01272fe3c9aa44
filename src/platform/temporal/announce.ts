import { type Client, WorkflowClient, type WorkflowStartOptions } from '@temporalio/client'
import { CLOCK_ADVANCED_SIGNAL, type OnClock } from '../../base/account-time.ts'
import { START_TIMEOUT_MS } from './updates.ts'

/** A signal to a workflow, which is started if it is not running. */
type Announcement = {
  workflowType: string
  /** its start options, including those from `summarized` */
  workflow: WorkflowStartOptions
  signalName: string
  signalArgs?: unknown[]
  /** The server drops an announcement if this run has already had one with the same id. */
  id: string
}

/**
 * Announces stored news. A repeated announcement adds nothing to the run's history, which holds at
 * most 10,000 signals, but does reach a run started since.
 */
export async function announce(client: Client, announcement: Announcement): Promise<void> {
  const { workflowType, workflow, signalName, signalArgs = [], id } = announcement
  await client.withDeadline(Date.now() + START_TIMEOUT_MS, () =>
    withRequestId(client, id).signalWithStart(workflowType, {
      ...workflow,
      signal: signalName,
      signalArgs,
    }),
  )
}

/** A copy of the workflow client that signals with this request id. */
function withRequestId({ connection, workflowService, workflow }: Client, requestId: string) {
  // The SDK has no option for a request id and generates a random one.
  const service = Object.create(workflowService, {
    signalWithStartWorkflowExecution: {
      value: (request: object) =>
        workflowService.signalWithStartWorkflowExecution({ ...request, requestId }),
    },
  })
  return new WorkflowClient({
    ...workflow.options,
    connection: Object.create(connection, { workflowService: { value: service } }),
  })
}

/** The signal that gives a workflow the time on its account's test clock. */
export const clockSignal = ({ aheadMs }: OnClock, id: string) => ({
  signalName: CLOCK_ADVANCED_SIGNAL,
  signalArgs: [aheadMs],
  id: `${CLOCK_ADVANCED_SIGNAL} ${id}`,
})

/**
 * The id for late announcements: a new one each time the delay has doubled, so that a check every
 * 15 s announces at once and ever more rarely: 22 times in 400 days. Throws for an invalid date.
 */
export function lateAnnouncement(since: Date, at: Date): string {
  const seconds = Math.max(1, (at.getTime() - since.getTime()) / 1000)
  return `late since ${since.toISOString()}, ${Math.floor(Math.log2(seconds))}`
}
