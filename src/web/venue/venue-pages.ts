import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { serviceWords } from '../../bookings/rules/service-words.ts'
import * as venuePage from '../../confirmation/operations/venue-page.ts'
import { decidedStatuses, declineReasons } from '../../confirmation/rules/venue-responses.ts'
import type { VenueBooking } from '../../confirmation/store/venue-bookings.ts'
import type { PageVenue } from '../../confirmation/store/venue-links.ts'
import { parseInput } from '../../doors/calls/parse-input.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { loggable } from '../../platform/telemetry/log.ts'
import { type Html, html } from '../page/html.ts'
import { acceptLinks } from '../page/link-pages.ts'
import { page } from '../page/page.ts'
import { endingOf, endQuestion, venueBooking } from './booking-page.ts'
import { localWords, statusWords } from './booking-text.ts'

const params = z.object({ booking: z.uuid() })
const query = z.object({ answer: z.string().max(100).optional().catch(undefined) })
const revision = z.coerce.number().int().min(0)
const form = z
  .object({
    form: z.uuid(),
    revision: revision.max(2 ** 31 - 1),
    said: z.enum(decidedStatuses),
    slot_time: z.stringFormat('local time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/).optional(),
    reason: z.enum(declineReasons).optional(),
  })
  .refine(({ said, reason }) => reason || (said !== 'declined' && said !== 'cancelled'), {
    path: ['reason'],
    message: 'choose one',
  })

type Link = { Params: { token: string } }
type BookingLink = { Params: { token: string; booking: string } }

/** The pages for a venue's staff, open to anyone with their link: docs/operate/venue-page.md. */
export async function venuePages(scope: FastifyInstance, deps: DoorDeps) {
  const { services, guards, log } = deps
  acceptLinks(scope, deps, show)

  const baseOf = (request: FastifyRequest<Link>) => `/venue/${request.params.token}`

  scope.get<Link>('/venue/:token', async (request, reply) => {
    const venue = await guards.openVenueLink(request)
    const at = new Date()
    const bookings = await venuePage.readVenuePage(services, venue, at)
    reply.header('refresh', '60')
    return show(reply, venue.name, listView(venue, baseOf(request), bookings, at))
  })

  scope.get<BookingLink>('/venue/:token/bookings/:booking', async (request, reply) => {
    const venue = await guards.openVenueLink(request)
    const { booking: bookingId } = parseInput(params, request.params)
    const { answer: answerId } = parseInput(query, request.query)
    const at = new Date()
    const details = await venuePage.readVenueBooking(services, venue, { bookingId, answerId }, at)
    const isAnswered = answerId !== undefined
    return show(reply, venue.name, venueBooking(baseOf(request), details, { isAnswered, at }))
  })

  scope.get<BookingLink>('/venue/:token/bookings/:booking/end', async (request, reply) => {
    const venue = await guards.openVenueLink(request)
    const { booking: bookingId } = parseInput(params, request.params)
    const at = new Date()
    const of = { bookingId, answerId: undefined }
    const { booking } = await venuePage.readVenueBooking(services, venue, of, at)
    const path = `${baseOf(request)}/bookings/${bookingId}`
    const ending = endingOf(booking, at)
    if (!ending) return reply.redirect(path, 303)
    return show(reply, venue.name, endQuestion(path, booking, ending))
  })

  scope.post<BookingLink>('/venue/:token/bookings/:booking', async (request, reply) => {
    const venue = await guards.openVenueLink(request)
    const { booking: bookingId } = parseInput(params, request.params)
    const input = parseInput(form, request.body ?? {})
    const { form: formId, said: status, slot_time, revision, reason } = input
    const offeredSlotTime = status === 'offered' ? slot_time : undefined
    const answer = {
      bookingId,
      formId,
      status,
      revision,
      reason,
      offeredSlotTime,
      personId: venue.person?.id,
    }
    const { answerId, undelivered } = await venuePage.answerForVenue(
      services,
      venue,
      answer,
      new Date(),
    )
    const line = { request_id: request.id, venue_id: venue.id, booking_id: bookingId, status }
    log.info(line, 'venue staff answered')
    if (undelivered) {
      const error = loggable(undelivered)
      log.warn({ ...line, error }, 'the sweep will deliver the answer of venue staff')
    }
    return reply.redirect(`${baseOf(request)}/bookings/${bookingId}?answer=${answerId}`, 303)
  })
}

const show = (reply: FastifyReply, title: string, view: Html) =>
  reply.type('text/html; charset=utf-8').send(page(title, view))

function listView(
  venue: PageVenue,
  base: string,
  bookings: readonly VenueBooking[],
  at: Date,
): Html {
  const sectionOf = ({ status, confirm_mode, ends_at }: VenueBooking) => {
    if (status === 'pending' && confirm_mode === 'request') return 'waiting'
    const isOpen = status === 'pending' || status === 'offered' || status === 'confirmed'
    return isOpen && ends_at > at ? 'upcoming' : 'past'
  }
  const { waiting = [], upcoming = [], past = [] } = Object.groupBy(bookings, sectionOf)
  const list = (some: readonly VenueBooking[], none: string) =>
    some.length === 0
      ? html`<p class="quiet">${none}</p>`
      : html`<ul class="list">${some.map((one) => entry(base, one))}</ul>`
  return html`
<h1>${venue.name}</h1>
<p class="quiet">Times are those of ${venue.timezone}. This page refreshes every minute.</p>
<h2>Waiting for your answer</h2>
${list(waiting.toSorted(byDeadline), 'Nothing to answer.')}
<h2>Upcoming</h2>
${list(upcoming, 'Nothing yet.')}
<h2>Past and cancelled</h2>
${list(past.toReversed(), 'Nothing in the last three days.')}`
}

const byDeadline = (a: VenueBooking, b: VenueBooking) =>
  (a.answer_by?.getTime() ?? 0) - (b.answer_by?.getTime() ?? 0)

function entry(base: string, booking: VenueBooking): Html {
  const { id, slot_time, party_size, name, reminded_at, status } = booking
  const isUrgent = reminded_at !== null && status === 'pending'
  return html`
<li><a href="${base}/bookings/${id}"><strong>${localWords(slot_time)}</strong> · ${party_size} ·
${name ?? 'no name given'}</a>
<p>${serviceWords(booking)}</p>
<p>${isUrgent && html`<strong>Please answer.</strong> `}${statusWords(booking)}</p></li>`
}
