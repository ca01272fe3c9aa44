import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { alternative } from '../../contract/alternative.ts'
import * as shared from '../../contract/fields.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { cancellation, ownBooking } from '../../contract/public.ts'
import { cancellationOf } from '../rules/cancellation.ts'
import { venueNotes } from '../rules/cost-notes.ts'
import { isAwaited, whileWaiting } from '../rules/pending.ts'
import { ownBookingOf } from '../steps/guest-link.ts'
import { selectOptionalBookingOf } from '../store/booking-view.ts'
import { selectAlternativesNamed } from '../store/requests.ts'

export const getBooking = defineOperation({
  name: 'read booking',
  summary: 'One booking of your account',
  description:
    'Returns the current state of a booking: pending, confirmed, completed, or why it failed, ' +
    'and what cancelling it now would cost. While it is pending, `next` says who answers and ' +
    'by when, and `retry_after` when to read it again.',
  part: 'bookings',
  input: z.strictObject({ id: z.uuid().describe('Booking id') }),
  output: z.object({
    booking: ownBooking,
    cancellation: cancellation.optional().describe('What cancelling it now would cost'),
    alternatives: z
      .array(alternative)
      .optional()
      .describe('What could be booked instead, after a refusal or a cancellation by others'),
    next: shared.next.optional(),
    retry_after: shared.retryAfter.optional(),
  }),
  errors: ['booking_not_found'],
  async run(ctx, { id }) {
    const booking = await selectOptionalBookingOf(ctx.db, accountOf(ctx).id, id)
    if (!booking) throw refuse('booking_not_found')
    const canCancel = ['pending', 'offered', 'confirmed'].includes(booking.status)
    const hasTerms = canCancel || (booking.status === 'cancelled' && booking.deposit !== null)
    const isRefused =
      ['failed', 'declined', 'expired'].includes(booking.status) ||
      (booking.status === 'cancelled' && ['venue', 'operator'].includes(booking.cancelled_by ?? ''))
    const own = ownBookingOf(ctx, booking)
    const notes = booking.status === 'confirmed' || booking.status === 'held' ? venueNotes(own) : []
    return {
      booking: own,
      ...(notes.length > 0 && { next: notes.join(' ') }),
      ...(hasTerms && { cancellation: cancellationOf(booking, ctx.at) }),
      ...(isAwaited(booking) && whileWaiting(booking, ctx.at)),
      ...(isRefused && { alternatives: await selectAlternativesNamed(ctx.db, id) }),
    }
  },
})
