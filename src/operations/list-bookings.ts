import { z } from 'zod'
import { bookingStatuses } from '../model/booking.ts'
import { refuse } from '../model/errors.ts'
import { booking, nextCursor } from '../schema/public.ts'
import { selectBookingsOf } from '../store/booking-view.ts'
import { accountOf, defineOperation } from './define.ts'

export const listBookings = defineOperation({
  name: 'list bookings',
  summary: 'The bookings of your account',
  description: 'Lists the bookings of the account, newest first, of one status if asked.',
  tier: 'free',
  input: z.strictObject({
    status: z.enum(bookingStatuses).optional(),
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(200).optional(),
  }),
  output: z.object({ bookings: z.array(booking), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { status = null, limit, cursor = null }) {
    if (cursor !== null && !z.uuid().safeParse(cursor).success) throw refuse('invalid_cursor')
    const page = { before: cursor, status, limit: limit + 1 }
    const found = await selectBookingsOf(ctx.db, accountOf(ctx).id, page)
    const bookings = found.slice(0, limit)
    return { bookings, next_cursor: found.length > limit ? (bookings.at(-1)?.id ?? null) : null }
  },
})
