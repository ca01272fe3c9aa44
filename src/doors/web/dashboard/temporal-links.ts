import type { Config } from '../../../config.ts'
import { bookingWorkflowId } from '../../../contract/rules/ids.ts'
import { endpointWorkflowId } from '../../../webhooks/rules/endpoint-messages.ts'

/** Where the Temporal UI shows a workflow or finds those of a query. */
export type TemporalLinks = {
  booking(id: string): string
  endpoint(id: string): string
  list(query: string): string
}

/** Addresses in the Temporal UI; null where the operator has not said where it is. */
export function temporalLinks({
  TEMPORAL_UI_URL,
  TEMPORAL_NAMESPACE,
}: Pick<Config, 'TEMPORAL_UI_URL' | 'TEMPORAL_NAMESPACE'>): TemporalLinks | null {
  if (!TEMPORAL_UI_URL) return null
  const ui = TEMPORAL_UI_URL.replace(/\/+$/, '')
  const workflows = `${ui}/namespaces/${encodeURIComponent(TEMPORAL_NAMESPACE)}/workflows`
  const workflow = (id: string) => `${workflows}/${encodeURIComponent(id)}`
  return {
    booking: (id) => workflow(bookingWorkflowId(id)),
    endpoint: (id) => workflow(endpointWorkflowId(id)),
    list: (query) => `${workflows}?query=${encodeURIComponent(query)}`,
  }
}
