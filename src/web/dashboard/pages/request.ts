import type { FastifyRequest } from 'fastify'
import { getRequest } from '../../../accounts/operations/get-request.ts'
import { bookingEvents } from '../../../bookings/operations/booking-events.ts'
import { listDeliveries } from '../../../webhooks/operations/read-deliveries.ts'
import { listEndpoints } from '../../../webhooks/operations/read-endpoints.ts'
import { paramsOf } from '../../page/forms.ts'
import { callStatus, callWords } from '../call-rows.ts'
import { type Effects, requestView } from '../call-view.ts'
import { type Page, showPage, unlessRefused } from '../page.ts'

/** Maximum events on the page; the booking's own page shows later ones. */
const MAX_EVENTS = 5
/** Clocks differ slightly between processes. */
const TOLERANCE_MS = 1_000

/** `/dashboard/requests/{id}`: one request, with its refusal, bodies and effects. */
export const request: Page = async (scope, { call, publicUrl }) => {
  scope.get('/dashboard/requests/:id', async (request, reply) => {
    const details = await call(request, getRequest, paramsOf(request))
    const { at, status, code } = details.request
    const effects = details.booking_id ? await effectsOf(request, details.booking_id, at) : null
    const title = `${callWords(details.request)} → ${status ?? code}`
    const body = requestView({ ...details, effects, publicUrl, badge: callStatus(details.request) })
    const crumbs = [['Requests', '/dashboard/requests']] as const
    return showPage(reply, title, body, { crumbs, styles: ['requests.css'] })
  })

  /** A booking's events since the request, and their deliveries. */
  async function effectsOf(request: FastifyRequest, id: string, at: string): Promise<Effects> {
    const result = await unlessRefused(call(request, bookingEvents, { id }), 'booking_not_found')
    const since = Date.parse(at) - TOLERANCE_MS
    const events = (result?.events ?? [])
      .filter(({ timestamp }) => Date.parse(timestamp) >= since)
      .slice(0, MAX_EVENTS)
    const [{ endpoints }, ...lists] = await Promise.all([
      call(request, listEndpoints, {}),
      ...events.map((event) => call(request, listDeliveries, { event: event.id })),
    ])
    const urls = new Map(endpoints.map(({ id, url }) => [id, url]))
    return { events, deliveries: lists.flatMap(({ deliveries }) => deliveries), urls }
  }
}
