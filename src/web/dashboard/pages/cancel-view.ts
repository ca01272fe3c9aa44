import type { z } from 'zod'
import { money } from '../../../base/money.ts'
import { serviceWords } from '../../../bookings/rules/service-words.ts'
import type { Booking, cancellation } from '../../../contract/public.ts'
import * as ui from '../../page/components.ts'
import { type Html, html } from '../../page/html.ts'
import { slotText } from '../slot-time.ts'
import { statusBadge } from '../status-badges.ts'

type Cancellable = { booking: Booking; cancellation?: z.infer<typeof cancellation> | undefined }

/** The confirmation page for a cancellation, with its cost. */
export function cancelView({ booking, cancellation: cost }: Cancellable): Html {
  const back = `/dashboard/bookings/${booking.id}`
  if (!cost) {
    return html`
<p>This booking is ${statusBadge(booking.status)}. There is nothing to cancel.</p>
<p>${ui.link(back, 'Back to the booking')}</p>`
  }
  const { free_until } = cost
  const by = ui.choice('Cancelled by', 'by', { guest: 'The guest', agent: 'The agent' }, 'agent')
  return html`
${ui.facts([
  ['Venue', booking.venue.name],
  ['Service', serviceWords(booking)],
  ['Slot', slotText(booking)],
  ['Guests', booking.party_size],
  ['Cancelling costs', money(cost.amount_minor, cost.currency)],
])}
<p>${
    cost.fee === 'none' || free_until === null
      ? 'This booking has no fee.'
      : cost.amount_minor === 0
        ? html`Free to cancel until ${ui.exactly(free_until)}. After that the fee applies.`
        : html`Free cancellation ended ${ui.exactly(free_until)}.`
  }</p>
${ui.confirmForm(`${back}/cancel`, 'Cancel the booking', [back, 'Keep the booking'], { more: by })}`
}
