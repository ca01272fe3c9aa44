import { z } from 'zod'
import { refuse } from '../model/errors.ts'
import { booking } from '../schema/public.ts'
import { selectOptionalBookingOf } from '../store/booking-view.ts'
import { accountOf, defineOperation } from './define.ts'

export const getBooking = defineOperation({
  name: 'read booking',
  summary: 'One booking of your account',
  description:
    'Answers where a booking stands now: pending, confirmed, completed, or why it failed. Use it after a `pending` answer.',
  tier: 'free',
  input: z.strictObject({ id: z.uuid().describe('Booking id') }),
  output: z.object({ booking }),
  errors: ['booking_not_found'],
  async run(ctx, { id }) {
    const found = await selectOptionalBookingOf(ctx.db, accountOf(ctx).id, id)
    if (!found) throw refuse('booking_not_found')
    return { booking: found }
  },
})
