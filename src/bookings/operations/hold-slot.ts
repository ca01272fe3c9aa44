import { z } from 'zod'
import { bookingStatuses } from '../../base/booking-status.ts'
import { zonedMinute } from '../../base/local-time.ts'
import * as shared from '../../contract/fields.ts'
import { defineOperation } from '../../contract/operation.ts'
import { cancellation, type OwnBooking } from '../../contract/public.ts'
import type { BookingContext } from '../engine.ts'
import { HOLD_MINUTES, MAX_HOLDS } from '../rules/booking.ts'
import { cancellationOf } from '../rules/cancellation.ts'
import { cancelNotes, holdNotes, venueNotes } from '../rules/cost-notes.ts'
import { ownBookingOf } from '../steps/guest-link.ts'
import { selectOwnBooking } from '../store/booking-view.ts'
import * as fields from './booking-fields.ts'
import { openRequest, saidFirst } from './open-request.ts'

export const holdSlot = defineOperation({
  name: 'hold slot',
  summary: 'Hold a slot while you decide',
  description:
    `Holds a slot for ${HOLD_MINUTES} minutes, free of charge, until \`hold_until\`. Confirm it ` +
    'with its id as `hold_id`, extend it once, release it, or let it expire. At most ' +
    `${MAX_HOLDS} at a time. Needs pro or a saved card.`,
  tier: 'pro',
  scope: 'bookings',
  input: fields.slotRequest,
  output: z.object({
    status: z
      .enum(bookingStatuses)
      .describe('`held` or `pending`. When a request is repeated, its hold may have changed'),
    ...fields.answered,
    joined: fields.joined,
    cancellation: cancellation.optional().describe('What cancelling costs once it is confirmed'),
    next: shared.next,
  }),
  errors: [
    'venue_not_found',
    'venue_removed',
    ...fields.slotRefusals,
    'slot_held',
    'hold_limit',
    'booking_limit',
    'slot_given_back_too_often',
    'similar_booking',
    'idempotency_mismatch',
    'booking_engine_unavailable',
  ],
  async run(ctx: BookingContext, { wait, idempotency_key: key, ...request }) {
    const opened = await openRequest(ctx, 'hold', request, { key, wait })
    if (opened.status) return opened
    // A repeated request gets the stored answer, which says `held` whatever has happened since.
    const isRepeated = opened.joined || opened.replayed
    const readBooking = async () =>
      ownBookingOf(ctx, await selectOwnBooking(ctx.db, opened.booking.id))
    const booking = isRepeated ? await readBooking() : opened.booking
    const { status } = booking
    const cancellation = status === 'held' && { cancellation: cancellationOf(booking, ctx.at) }
    const { next } = saidFirst(opened.chosen, { next: nextOf(booking, ctx.at) })
    return { ...opened, booking, status, ...cancellation, next }
  },
})

function nextOf(booking: OwnBooking, at: Date): string {
  const { id, status, hold_until, timezone, confirm_mode } = booking
  if (status !== 'held' || !hold_until) {
    return `It is no longer held: the booking ${id} is ${status}.`
  }
  const until = zonedMinute(timezone, new Date(hold_until))
  return [
    `Confirm it before ${until}: \`POST /api/bookings\` with \`hold_id\` ${id}; or release it: ` +
      `\`POST /api/holds/${id}/release\`.`,
    ...holdNotes(booking),
    ...venueNotes(booking),
    ...cancelNotes(booking, at, true),
    ...(confirm_mode === 'request' ? ['A person at the venue then accepts or declines.'] : []),
  ].join(' ')
}
