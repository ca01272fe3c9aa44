import type { FastifyRequest } from 'fastify'
import { bookingWorkflowId } from '../../base/ids.ts'
import type { Config } from '../../config/config.ts'
import { endpointWorkflowId } from '../../webhooks/rules/endpoint-messages.ts'

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

const OPEN = 'ExecutionStatus="Running"'
/** Workflows ended from outside, which our code does only when the sweep replaces a run. */
const OUTSIDE = 'ExecutionStatus IN ("Terminated", "Canceled", "TimedOut")'
const BOOKINGS = 'WorkflowType="booking"'
const ENDPOINTS = 'WorkflowType="webhookDelivery"'

/** Workflow lists that operators often need, as Temporal UI queries. */
export const savedQueries: Readonly<Record<string, string>> = {
  'Open bookings': `${BOOKINGS} AND ${OPEN}`,
  'Bookings that wait for their venue': `${BOOKINGS} AND ${OPEN} AND BookingStatus="pending"`,
  'Bookings on hold': `${BOOKINGS} AND ${OPEN} AND BookingStatus="held"`,
  'Failing endpoints': `${ENDPOINTS} AND ${OPEN} AND EndpointStatus="failing"`,
  'Disabled endpoints': `${ENDPOINTS} AND ${OPEN} AND EndpointStatus="disabled"`,
  'Endpoints with failing bookings': `${ENDPOINTS} AND ${OPEN} AND FailingBookings IS NOT NULL`,
  'Workflows whose tasks fail': `${OPEN} AND TemporalReportedProblems IS NOT NULL`,
  'Bookings ended from outside': `${BOOKINGS} AND ${OUTSIDE}`,
  'Other workflows ended from outside': `WorkflowType!="booking" AND ${OUTSIDE}`,
  'Failed workflows': 'ExecutionStatus="Failed"',
}

/** Queries for the bookings of one venue. Slugs never contain quotes. */
export const venueQueries = (slug: string): Readonly<Record<string, string>> => {
  const here = `${BOOKINGS} AND VenueSlug="${slug}"`
  return {
    'Open bookings of this venue': `${here} AND ${OPEN}`,
    'Those that wait for it': `${here} AND ${OPEN} AND BookingStatus="pending"`,
    'All bookings of this venue': here,
  }
}
