import type { Client, WorkflowHandle } from '@temporalio/client'

type Event = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number]

/** Events that Temporal Cloud bills as actions (docs.temporal.io/cloud/actions), by kind. */
const kinds = {
  start: 'workflowExecutionStartedEventAttributes',
  update: 'workflowExecutionUpdateAcceptedEventAttributes',
  signal: 'workflowExecutionSignaledEventAttributes',
  signalOut: 'signalExternalWorkflowExecutionInitiatedEventAttributes',
  upsert: 'upsertWorkflowSearchAttributesEventAttributes',
  memo: 'workflowPropertiesModifiedEventAttributes',
  timer: 'timerStartedEventAttributes',
  activity: 'activityTaskScheduledEventAttributes',
  continued: 'workflowExecutionContinuedAsNewEventAttributes',
} as const satisfies Record<string, keyof Event>

/** What a run has cost in actions. `markers`: tasks with local activities or patches. */
type Actions = Partial<Record<keyof typeof kinds | 'markers', number>>

/**
 * Counts the actions in the history of a workflow's current run. All markers of a workflow task
 * count as one action, as do a start and its signal.
 */
export async function actionsOf(client: Client, workflowId: string): Promise<Actions> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory()
  const found: Actions = {}
  const count = (kind: keyof Actions) => {
    found[kind] = (found[kind] ?? 0) + 1
  }
  const marked = new Set<string>()
  for (const event of events ?? []) {
    for (const [kind, attributes] of Object.entries(kinds)) {
      if (event[attributes]) count(kind as keyof typeof kinds)
    }
    const marker = event.markerRecordedEventAttributes
    if (marker) marked.add(String(marker.workflowTaskCompletedEventId))
  }
  if (marked.size > 0) found.markers = marked.size
  if (found.signal && events?.[1]?.workflowExecutionSignaledEventAttributes) delete found.start
  return found
}

/** All actions together. */
export const sumOf = (actions: Actions): number =>
  Object.values(actions).reduce((sum, count) => sum + count, 0)
