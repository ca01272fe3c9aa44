import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'
import { bookingWorkflowId } from '../../../contract/rules/ids.ts'
import { endpointWorkflowId } from '../../../webhooks/rules/endpoint-messages.ts'

export type TemporalLinks = NonNullable<ReturnType<typeof temporalLinks>>

/** Addresses of workflows in the Temporal UI; null unless TEMPORAL_UI_URL is set. */
export function temporalLinks({ TEMPORAL_UI_URL, TEMPORAL_NAMESPACE }: Config) {
  if (!TEMPORAL_UI_URL) return null
  const ui = TEMPORAL_UI_URL.replace(/\/+$/, '')
  const workflows = `${ui}/namespaces/${encodeURIComponent(TEMPORAL_NAMESPACE)}/workflows`
  const workflow = (id: string) => `${workflows}/${encodeURIComponent(id)}`
  return {
    booking: (id: string) => workflow(bookingWorkflowId(id)),
    endpoint: (id: string) => workflow(endpointWorkflowId(id)),
    list: (query: string) => `${workflows}?query=${encodeURIComponent(query)}`,
  }
}

/** The same for the pages of an account: only an operator who reads them gets the links. */
export const linksFor = (links: TemporalLinks | null, { developer }: FastifyRequest) =>
  developer?.is_operator ? links : null
