import type { Client } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'

/** A workflow command as listed by the Temporal UI: its event type and its summary. */
export type Summary = { type: 'timer' | 'activity'; text: string }

/** The summaries of the timers and activities in a workflow's current run, oldest first. */
export async function summariesOf(client: Client, workflowId: string): Promise<Summary[]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory()
  return (events ?? []).flatMap((event): Summary[] => {
    const summary = event.userMetadata?.summary
    const type = event.timerStartedEventAttributes
      ? 'timer'
      : event.activityTaskScheduledEventAttributes && 'activity'
    if (!summary || !type) return []
    return [{ type, text: defaultPayloadConverter.fromPayload(summary) }]
  })
}

/** The current details of a workflow, as the Temporal UI shows them. */
export async function detailsOf(client: Client, workflowId: string): Promise<string> {
  const handle = client.workflow.getHandle(workflowId)
  const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')
  return metadata.currentDetails ?? ''
}

/** The ids of the workflows that a query finds in the Temporal UI's list. */
export async function listed(client: Client, query: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId)
  return ids
}
