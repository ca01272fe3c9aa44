import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { cancelBooking as cancel } from '../../../../bookings/operations/cancel-booking.ts'
import { getBooking } from '../../../../bookings/operations/get-booking.ts'
import type { Booking, cancellation } from '../../../../contract/public.ts'
import { money } from '../../../../contract/rules/money.ts'
import { actionForm, choice } from '../../components/form.ts'
import { facts } from '../../components/table.ts'
import { exactly, localMinute } from '../../components/time.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { given, idOf } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { bookingBadge } from '../status-badges.ts'

const PATH = '/dashboard/bookings/:id/cancel'

/** What the page of a booking says after one of its forms. */
export const bookingDone = {
  cancelled: 'Booking cancelled.',
  accepted: 'Offer accepted.',
  refused: 'Offer refused.',
  asked: 'Accepted. Refresh in a moment.',
}

/** `/dashboard/bookings/{id}/cancel`: what cancelling costs, and the button. */
export async function cancelBooking(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const found = await call(request, getBooking, { id: idOf(request) })
    const view = { title: 'Cancel this booking?', body: cancelView(found) }
    return sendPage(reply, dashboardPage(request, { ...view, section: 'bookings' }))
  })

  scope.post(PATH, async (request, reply) => {
    const { by } = given(request.body, ['by'])
    const asked = { ...sentOnce(request), ...(by && { by }) }
    const { status } = await call(request, cancel, asked)
    return backToBooking(request, reply, status === 'pending' ? 'asked' : 'cancelled')
  })
}

/** The booking of the address, and the number of the form as the key that makes its repeat harmless. */
export function sentOnce(request: FastifyRequest) {
  const { form } = given(request.body, ['form'])
  return { id: idOf(request), ...(form && { idempotency_key: form }) }
}

/** Back to the page of the booking, with one of its sentences. */
export const backToBooking = (
  request: FastifyRequest,
  reply: FastifyReply,
  word: keyof typeof bookingDone,
) => reply.redirect(`/dashboard/bookings/${idOf(request)}?done=${word}`, 303)

type Cost = z.infer<typeof cancellation>
type Found = { booking: Booking; cancellation?: Cost | undefined }

/** What cancelling costs, said before it is done. */
function cancelView({ booking, cancellation: cost }: Found): Html {
  const back = `/dashboard/bookings/${booking.id}`
  if (!cost) {
    return html`
<p>This booking is ${bookingBadge(booking.status)}. There is nothing to cancel.</p>
<p><a href="${back}">Back to the booking</a></p>`
  }
  return html`
${facts([
  ['Venue', booking.venue.name],
  ['Slot', `${localMinute(booking.slot_time)} (${booking.timezone})`],
  ['Guests', booking.party_size],
  ['Cancelling costs', money(cost.amount_minor, cost.currency)],
])}
<p>${whyThatMuch(cost)}</p>
${actionForm(`${back}/cancel`, 'Cancel the booking', {
  tone: 'danger',
  more: choice('Cancelled by', 'by', { guest: 'The guest', agent: 'The agent' }, 'agent'),
})}
<p><a href="${back}">Keep the booking</a></p>`
}

const whyThatMuch = ({ fee, free_until }: Cost): Html =>
  fee === 'none' || free_until === null
    ? html`This booking has no fee.`
    : html`Free to cancel until ${exactly(free_until)}. After that the fee applies.`
