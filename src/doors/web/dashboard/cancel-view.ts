import type { z } from 'zod'
import type { Booking, cancellation } from '../../../contract/public.ts'
import { money } from '../../../contract/rules/money.ts'
import { type Html, html } from '../html.ts'
import { choice, facts, when } from '../parts.ts'
import { actionForm } from './controls.ts'
import { bookingBadge, localMinute } from './words.ts'

type Cost = z.infer<typeof cancellation>
type Found = { booking: Booking; cancellation?: Cost | undefined }

/** What cancelling costs, said before it is done. */
export function cancelView({ booking, cancellation: cost }: Found): Html {
  const back = `/dashboard/bookings/${booking.id}`
  if (!cost) {
    return html`
<p>It is ${bookingBadge(booking.status)}: there is nothing to cancel.</p>
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
  more: choice('Who wants it', 'by', { guest: 'The guest', agent: 'The agent' }, 'agent'),
})}
<p><a href="${back}">Keep it</a></p>`
}

const whyThatMuch = ({ fee, free_until }: Cost): Html =>
  fee === 'none'
    ? html`No fee was recorded.`
    : html`It is free until ${when(free_until)}; after that the fee stays.`
