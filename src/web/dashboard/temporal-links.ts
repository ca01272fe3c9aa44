import type { FastifyRequest } from 'fastify'
import { fillText } from '../../base/fill-text.ts'
import { bookingWorkflowId } from '../../base/ids.ts'
import type { Config } from '../../config/config.ts'
import { endpointWorkflowId } from '../../webhooks/rules/endpoint-messages.ts'
import queries from './temporal-queries.json' with { type: 'json' }

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

/** The Temporal links if the signed-in developer is an operator; otherwise null. */
export const linksFor = (links: TemporalLinks | null, { developer }: FastifyRequest) =>
  developer?.is_operator ? links : null

/**
 * Workflow lists that operators often need, as Temporal UI queries. Our own code ends a workflow
 * from outside only when the sweep replaces a run.
 */
export const savedQueries: Readonly<Record<string, string>> = queries.network

/** Queries for the bookings of one venue. Slugs never contain quotes. */
export const venueQueries = (slug: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(queries.venue).map(([name, query]) => [name, fillText(query, { slug })]),
  )
