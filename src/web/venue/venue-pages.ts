import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '../../base/durations.ts'
import * as venueDay from '../../confirmation/operations/venue-day.ts'
import * as venuePage from '../../confirmation/operations/venue-page.ts'
import { decidedStatuses, declineReasons } from '../../confirmation/rules/venue-responses.ts'
import { parseInput } from '../../doors/calls/parse-input.ts'
import type { DoorDeps } from '../../doors/calls/run-operation.ts'
import { dashboardPolicy } from '../../doors/http/content-policy.ts'
import { loggable } from '../../platform/telemetry/log.ts'
import { type Html, html } from '../page/html.ts'
import { acceptLinks } from '../page/link-pages.ts'
import { sendPage } from '../page/page.ts'
import { bookingView, endingOf, endQuestion, timesView } from './booking-page.ts'
import { outcomeText, partyText, slotText } from './booking-text.ts'
import { boardView } from './day-view.ts'
import { joinPages } from './join-pages.ts'
import { peoplePages } from './people-pages.ts'
import { pushPages } from './push-pages.ts'
import { type StaffView, staffDocument, staffView, to } from './staff-document.ts'
import { tablesView, walkInNotice } from './tables-view.ts'
import { showVenueRefusal } from './venue-refusal.ts'

const params = z.object({ booking: z.uuid() })
const answerId = z.string().max(100).optional().catch(undefined)
const id = z.uuid().optional().catch(undefined)
const query = z.object({ answer: answerId })
const MAX_DAYS_BEFORE = 3
const MAX_DAYS_AHEAD = 400
const date = z.iso.date().refine((text) => {
  const days = (Date.parse(text) - Date.now()) / DAY_MS
  return days > -MAX_DAYS_BEFORE - 1 && days < MAX_DAYS_AHEAD
})
const pressed = z.coerce.date().optional().catch(undefined)
const boardQuery = z.object({
  date: date.optional().catch(undefined),
  booking: id,
  answer: answerId,
  walk_in: id,
  mailed: z.literal('1').optional().catch(undefined),
})
const revision = z.coerce.number().int().min(0)
const slotTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/
const form = z
  .object({
    form: z.uuid(),
    revision: revision.max(2 ** 31 - 1),
    said: z.enum(decidedStatuses),
    slot_time: z.stringFormat('local time', slotTime).optional(),
    reason: z.enum(declineReasons).optional(),
    list: z.literal('1').optional(),
  })
  .refine(({ said, reason }) => reason || (said !== 'declined' && said !== 'cancelled'), {
    path: ['reason'],
    message: 'choose one',
  })
const party = z.coerce.number().int().min(1).max(1000)
const tablesQuery = z.object({ date, party, gone: z.literal('1').optional().catch(undefined) })
const slot = z
  .templateLiteral([z.uuid(), ' ', z.union([z.literal('now'), z.stringFormat('time', slotTime)])])
  .transform((text) => text.split(' ') as [serviceId: string, time: string])
const tableForm = z.object({ form: z.uuid(), date, party, slot, pressed })
const walkInParams = z.object({ walk_in: z.uuid() })
const dayForm = z.object({ date, closing: z.enum(venueDay.closings), pressed })

type Link = { Params: { token: string } }

/** Seconds between two looks of an open page. */
const LIVE_SECONDS = 5

/** The pages for a venue's staff, open to anyone with their link: docs/operate/venue-page.md. */
export async function venuePages(scope: FastifyInstance, deps: DoorDeps) {
  const { services, guards, log } = deps
  acceptLinks(scope, deps, showVenueRefusal)
  await peoplePages(scope, deps)
  await joinPages(scope, deps)
  pushPages(scope, deps)
  scope.addHook('onRequest', async (_, reply) => {
    reply.header('content-security-policy', dashboardPolicy)
  })

  const open = async (request: FastifyRequest): Promise<StaffView> => {
    const linked = request as FastifyRequest<Link>
    return staffView(request, await guards.openVenueLink(linked), `/venue/${linked.params.token}`)
  }
  const readBooking = async (request: FastifyRequest, view: StaffView) => {
    const { booking: bookingId } = parseInput(params, request.params)
    const of = { bookingId, answerId: parseInput(query, request.query).answer }
    return venuePage.readVenueBooking(services, view.venue, of, view.at)
  }
  const show = (reply: FastifyReply, view: StaffView, title: string, body: Html, isLive = false) =>
    sendPage(reply, staffDocument(view, title, body, isLive))
  const showBooking = (reply: FastifyReply, view: StaffView, { booking }: OfBooking, body: Html) =>
    show(reply, view, `${slotText(view, booking)}, ${partyText(view.words, booking)}`, body)

  scope.get('/venue/:token', async (request, reply) => {
    const view = await open(request)
    const { date, ...done } = parseInput(boardQuery, request.query)
    const day = await venueDay.readVenueDay(services, view.venue, date, view.at)
    const title = view.words.say('staff.waiting', { count: day.waiting.length })
    const minute = Math.floor(view.at.getTime() / 60_000)
    const version = createHash('sha256')
      .update(JSON.stringify([day, minute]))
      .digest('base64url')
    const body = html`${await doneNotice(view, done)}<live-view data-version="${version}"
data-seconds="${LIVE_SECONDS}" data-live="${view.words.say('staff.page.live')}"
data-lost="${view.words.say('staff.page.lost')}">${boardView(view, day)}</live-view>`
    return show(reply, view, title, body, true)
  })

  /** The effect of the press that led to the list of the day. */
  async function doneNotice(
    view: StaffView,
    { booking, answer, walk_in, mailed }: Omit<z.output<typeof boardQuery>, 'date'>,
  ): Promise<Html> {
    if (booking && answer !== undefined) {
      const of = { bookingId: booking, answerId: answer }
      const details = await venuePage.readVenueBooking(services, view.venue, of, view.at)
      const what = `${slotText(view, details.booking)} · ${partyText(view.words, details.booking)}`
      const link = html`<p><a href="${to(view, `/bookings/${booking}`)}">${what}</a></p>`
      return bookingNotice(view, details, link)
    }
    if (mailed) return notice(html`<p>${view.words.say('people.join.mailed')}</p>`)
    const walkIn = walk_in && (await venueDay.readWalkIn(services, view.venue, walk_in))
    return walkIn ? notice(walkInNotice(view, walkIn)) : html``
  }

  scope.get('/venue/:token/bookings/:booking', async (request, reply) => {
    const view = await open(request)
    const details = await readBooking(request, view)
    const isAnswered = parseInput(query, request.query).answer !== undefined
    const back = html`<p><a href="${to(view, '')}">${view.words.say('staff.all')}</a></p>`
    const outcome = isAnswered && bookingNotice(view, details)
    return showBooking(reply, view, details, html`${back}${outcome}${bookingView(view, details)}`)
  })

  scope.get('/venue/:token/bookings/:booking/end', async (request, reply) => {
    const view = await open(request)
    const details = await readBooking(request, view)
    const { booking } = details
    const ending = endingOf(booking, view.at)
    if (!ending) return reply.redirect(to(view, `/bookings/${booking.id}`), 303)
    return showBooking(reply, view, details, endQuestion(view, booking, ending))
  })

  scope.get('/venue/:token/bookings/:booking/times', async (request, reply) => {
    const view = await open(request)
    const details = await readBooking(request, view)
    const { booking } = details
    if (endingOf(booking, view.at) !== 'decline') {
      return reply.redirect(to(view, `/bookings/${booking.id}`), 303)
    }
    return showBooking(reply, view, details, timesView(view, details))
  })

  scope.post('/venue/:token/bookings/:booking', async (request, reply) => {
    const view = await open(request)
    const { booking: bookingId } = parseInput(params, request.params)
    const input = parseInput(form, request.body ?? {})
    const { form: formId, said: status, slot_time, revision, reason, list } = input
    const offeredSlotTime = status === 'offered' ? slot_time : undefined
    const personId = view.venue.person?.id
    const decision = { bookingId, formId, status, revision, reason, offeredSlotTime, personId }
    const answered = await venuePage.answerForVenue(services, view.venue, decision, new Date())
    const { answerId: answer, undelivered } = answered
    const line = { request_id: request.id, venue_id: view.venue.id, booking_id: bookingId, status }
    log.info(line, 'venue staff answered')
    if (undelivered) {
      const error = loggable(undelivered)
      log.warn({ ...line, error }, 'the sweep will deliver the answer of venue staff')
    }
    const next = list
      ? to(view, '', { booking: bookingId, answer })
      : to(view, `/bookings/${bookingId}`, { answer })
    return reply.redirect(next, 303)
  })

  scope.get('/venue/:token/tables', async (request, reply) => {
    const view = await open(request)
    const { date, party: partySize, gone } = parseInput(tablesQuery, request.query)
    const free = await venueDay.readFreeTimes(services, view.venue, { date, partySize }, view.at)
    const body = tablesView(view, free, { date, partySize, isGone: gone !== undefined })
    return show(reply, view, view.words.say('staff.table.choose'), body)
  })

  scope.post('/venue/:token/tables', async (request, reply) => {
    const view = await open(request)
    const input = parseInput(tableForm, request.body ?? {})
    const { form: formId, date, party: partySize, slot } = input
    const [serviceId, time] = slot
    const choice = { formId, partySize, date, serviceId, slotTime: time === 'now' ? null : time }
    const walkIn = await venueDay.seatParty(services, view.venue, choice, timeOf(input))
    const again = { date, party: String(partySize), gone: '1' }
    if (!walkIn) return reply.redirect(to(view, '/tables', again), 303)
    log.info({ request_id: request.id, venue_id: view.venue.id }, 'venue staff took a table')
    return reply.redirect(to(view, '', { date, walk_in: walkIn.id }), 303)
  })

  scope.post('/venue/:token/tables/:walk_in/free', async (request, reply) => {
    const view = await open(request)
    const { walk_in } = parseInput(walkInParams, request.params)
    await venueDay.freeTable(services, view.venue, walk_in, new Date())
    log.info({ request_id: request.id, venue_id: view.venue.id }, 'venue staff freed a table')
    return reply.redirect(to(view, '', { walk_in }), 303)
  })

  scope.post('/venue/:token/day', async (request, reply) => {
    const view = await open(request)
    const input = parseInput(dayForm, request.body ?? {})
    await venueDay.closeEarly(services, view.venue, input, timeOf(input))
    const line = { request_id: request.id, venue_id: view.venue.id, closing: input.closing }
    log.info(line, 'venue staff changed when bookings are taken')
    return reply.redirect(to(view, '', { date: input.date }), 303)
  })
}

/** A page without a connection keeps what was pressed for so long. */
const QUEUED_MS = 12 * HOUR_MS

/** When a button was pressed, which may be long before its form arrives. */
function timeOf({ pressed }: { pressed?: Date | undefined }): Date {
  const now = Date.now()
  return new Date(Math.min(Math.max(pressed?.getTime() ?? now, now - QUEUED_MS), now))
}

type OfBooking = Pick<venuePage.BookingAtVenue, 'booking'>

const notice = (text: Html): Html => html`<div class="notice" role="status">${text}</div>`

const bookingNotice = (
  view: StaffView,
  { booking, effect }: venuePage.BookingAtVenue,
  more = html``,
): Html => notice(html`<p><strong>${outcomeText(view, effect, booking)}</strong></p>${more}`)
