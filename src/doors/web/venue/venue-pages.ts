import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  answerForVenue,
  readVenueBooking,
  readVenuePage,
} from '../../../confirmation/operations/venue-page.ts'
import { declineReasons } from '../../../confirmation/rules/venue-responses.ts'
import type { Services } from '../../../contract/operation.ts'
import { errorCatalogue } from '../../../contract/rules/error-catalogue.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import { loggable } from '../../../platform/telemetry/loggable.ts'
import { exceeded } from '../../guards/allowance.ts'
import type { Guards } from '../../guards/guards.ts'
import { parseInput } from '../../parse-input.ts'
import { levelOf, refusalFrom } from '../../refusal-from.ts'
import { refusalHeaders } from '../../refusal-headers.ts'
import { html } from '../html.ts'
import { page } from '../page.ts'
import { venueBooking } from './booking-page.ts'
import { venueList } from './list-page.ts'

const BODY_LIMIT_BYTES = 8 * 1024
const FORM_TYPE = 'application/x-www-form-urlencoded'

const params = z.object({ booking: z.uuid() })
const query = z.object({ answer: z.string().max(100).optional().catch(undefined) })
const form = z.object({
  form: z.uuid(),
  revision: z.coerce
    .number()
    .int()
    .min(0)
    .max(2 ** 31 - 1),
  said: z.enum(['confirmed', 'declined', 'cancelled', 'offered', 'no_show', 'attended']),
  slot_time: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    .optional(),
  reason: z.enum(declineReasons).optional(),
})

export type VenuePages = {
  services: Services
  guards: Guards
  checkOrigin: (request: FastifyRequest) => Promise<void>
  log: Log
}

/** The pages of a venue's people, for whoever has its link: docs/operate/venue-page.md. */
export async function venuePages(scope: FastifyInstance, { services, ...deps }: VenuePages) {
  const { guards, checkOrigin, log } = deps
  scope.addContentTypeParser(
    FORM_TYPE,
    { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES },
    async (_: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  )
  scope.addHook('onRequest', async (request, reply) => {
    // `no-referrer` would make browsers send `Origin: null` with a form.
    reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'same-origin')
      .header('x-robots-tag', 'noindex')
    guards.admit()
    const allowance = await guards.limitAddress(request)
    if (!allowance.granted) throw exceeded(allowance)
    if (request.method === 'POST') await checkOrigin(request)
  })
  scope.setErrorHandler((error, request, reply) => {
    const refusal = refusalFrom(error)
    const line = { request_id: request.id, code: refusal.code, error: loggable(error) }
    if (levelOf(refusal.code) !== 'info') log[levelOf(refusal.code)](line, 'request failed')
    const { status, title } = errorCatalogue[refusal.code]
    reply.code(status).headers(refusalHeaders(refusal))
    return show(reply, title, html`<h1>${title}</h1><p>${refusal.message}</p>`)
  })

  type Link = { Params: { token: string } }
  type BookingLink = { Params: { token: string; booking: string } }
  const baseOf = (request: FastifyRequest<Link>) => `/venue/${request.params.token}`

  scope.get<Link>('/venue/:token', async (request, reply) => {
    const venue = await guards.openVenueLink(request.params.token)
    const at = new Date()
    const bookings = await readVenuePage(services, venue, at)
    reply.header('refresh', '60')
    return show(reply, venue.name, venueList(venue, baseOf(request), bookings, at))
  })

  scope.get<BookingLink>('/venue/:token/bookings/:booking', async (request, reply) => {
    const venue = await guards.openVenueLink(request.params.token)
    const { booking: bookingId } = parseInput(params, request.params)
    const { answer: answerId } = parseInput(query, request.query)
    const at = new Date()
    const found = await readVenueBooking(services, venue, { bookingId, answerId }, at)
    const isAnswered = answerId !== undefined
    return show(reply, venue.name, venueBooking(baseOf(request), found, { isAnswered, at }))
  })

  scope.post<BookingLink>('/venue/:token/bookings/:booking', async (request, reply) => {
    const venue = await guards.openVenueLink(request.params.token)
    const { booking: bookingId } = parseInput(params, request.params)
    const { form: formId, said: status, slot_time, ...said } = parseInput(form, request.body ?? {})
    const answer = { ...said, bookingId, formId, status }
    const { answerId, undelivered } = await answerForVenue(
      services,
      venue,
      { ...answer, ...(status === 'offered' && { offeredSlotTime: slot_time }) },
      new Date(),
    )
    const line = { request_id: request.id, venue_id: venue.id, booking_id: bookingId, status }
    log.info(line, 'a person at a venue answered')
    if (undelivered) {
      const error = loggable(undelivered)
      log.warn({ ...line, error }, 'the sweep will deliver what a venue answered')
    }
    return reply.redirect(`${baseOf(request)}/bookings/${bookingId}?answer=${answerId}`, 303)
  })
}

const show = (reply: FastifyReply, title: string, view: ReturnType<typeof html>) =>
  reply.type('text/html; charset=utf-8').send(page(title, view))
