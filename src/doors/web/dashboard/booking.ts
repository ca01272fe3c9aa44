import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bookingEvents } from '../../../bookings/operations/booking-events.ts'
import { bookingTimeline } from '../../../bookings/operations/booking-timeline.ts'
import { cancelBooking } from '../../../bookings/operations/cancel-booking.ts'
import { getBooking } from '../../../bookings/operations/get-booking.ts'
import { acceptOffer, refuseOffer } from '../../../confirmation/operations/answer-offer.ts'
import { bookingView } from './booking-view.ts'
import { cancelView } from './cancel-view.ts'
import type { DashboardDeps } from './dashboard-door.ts'
import { doneNotice } from './forms.ts'
import { dashboardPage, sendPage } from './layout.ts'
import { given, idOf } from './query.ts'
import { temporalLinks } from './temporal-links.ts'

const PATH = '/dashboard/bookings/:id'

const done = {
  cancelled: 'The booking is cancelled.',
  accepted: 'The offer is accepted.',
  refused: 'The offer is refused.',
  asked: 'It is written down and under way: look again in a moment.',
}

/** One booking: its facts, what happened to it and why, what endpoints were told, and what can still be done. */
export async function booking(scope: FastifyInstance, { call, config }: DashboardDeps) {
  const links = temporalLinks(config)

  scope.get(PATH, async (request, reply) => {
    const id = idOf(request)
    const [found, timeline, { events }] = await Promise.all([
      call(request, getBooking, { id }),
      call(request, bookingTimeline, { id }),
      call(request, bookingEvents, { id }),
    ])
    const isPro = request.keyHolder?.tier === 'pro'
    const body = bookingView({ ...found, timeline, events, workflow: links?.booking(id), isPro })
    const title = found.booking.venue.name
    const { status } = found.booking
    const answered = status !== 'offered'
    const holds = { cancelled: status === 'cancelled', accepted: answered, refused: answered }
    const notice = doneNotice(request, done, holds)
    return sendPage(reply, dashboardPage(request, { title, section: 'bookings', body, notice }))
  })

  scope.get(`${PATH}/cancel`, async (request, reply) => {
    const found = await call(request, getBooking, { id: idOf(request) })
    const view = { title: 'Cancel this booking?', body: cancelView(found) }
    return sendPage(reply, dashboardPage(request, { ...view, section: 'bookings' }))
  })

  scope.post(`${PATH}/cancel`, async (request, reply) => {
    const { by } = given(request.body, ['by'])
    const asked = { ...sentOnce(request), ...(by && { by }) }
    const { status } = await call(request, cancelBooking, asked)
    return back(request, reply, status === 'pending' ? 'asked' : 'cancelled')
  })

  scope.post(`${PATH}/offer/accept`, async (request, reply) => {
    const { status } = await call(request, acceptOffer, sentOnce(request))
    return back(request, reply, status === 'pending' ? 'asked' : 'accepted')
  })

  scope.post(`${PATH}/offer/refuse`, async (request, reply) => {
    const { status } = await call(request, refuseOffer, sentOnce(request))
    return back(request, reply, status === 'pending' ? 'asked' : 'refused')
  })
}

/** The booking of the address, and the number of the form as the key that makes its repeat harmless. */
function sentOnce(request: FastifyRequest) {
  const { form } = given(request.body, ['form'])
  return { id: idOf(request), ...(form && { idempotency_key: form }) }
}

const back = (request: FastifyRequest, reply: FastifyReply, word: keyof typeof done) =>
  reply.redirect(`/dashboard/bookings/${idOf(request)}?done=${word}`, 303)
