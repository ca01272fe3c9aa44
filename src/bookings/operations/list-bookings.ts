import { z } from 'zod'
import { localDate } from '../../availability/operations/wanted-slot.ts'
import { venueNotFound } from '../../availability/steps/venue-not-found.ts'
import { selectOptionalVenue } from '../../availability/store/venues.ts'
import { invalidRequest } from '../../base/errors.ts'
import { idInCursor, pageOf } from '../../contract/cursor.ts'
import { accountOf, type Context, defineOperation, isTest } from '../../contract/operation.ts'
import { bookingStatus, nextCursor, ownBooking, pageInput } from '../../contract/public.ts'
import { ownBookingOf } from '../steps/guest-link.ts'
import { selectBookingsOf } from '../store/booking-list.ts'
import { guestRef } from './booking-fields.ts'

export const listBookings = defineOperation({
  name: 'list bookings',
  summary: 'The bookings of your account',
  description:
    'Lists the bookings of the account, newest first. Filter by status, venue, guest, agent or ' +
    'date of the slot: `from` and `to` are local dates at each venue, inclusive. Leaves out ' +
    'requests that were refused (`failed`), unless `include_failed` or that status asks for them.',
  part: 'bookings',
  input: z.strictObject({
    status: bookingStatus.optional(),
    guest_ref: guestRef.describe('Your own reference for the guest').optional(),
    booked_by: z.string().max(200).optional().describe('The agent or assistant that booked'),
    include_failed: z.boolean().default(false).describe('Also what was refused (`failed`)'),
    venue: z.string().optional().describe('`slug` or `id` of a venue'),
    from: localDate.optional().describe('Slots on this local date or later: YYYY-MM-DD'),
    to: localDate.optional().describe('Slots on this local date or earlier: YYYY-MM-DD'),
    ...pageInput,
  }),
  output: z.object({ bookings: z.array(ownBooking), next_cursor: nextCursor }),
  errors: ['invalid_cursor', 'venue_not_found'],
  async run(ctx, { status = null, venue, from = null, to = null, limit, cursor, ...more }) {
    const before = idInCursor(cursor)
    if (from !== null && to !== null && to < from) {
      throw invalidRequest([{ pointer: '/to', detail: `expected ${from} or later` }])
    }
    const { guest_ref: guestRef = null, booked_by: bookedBy = null } = more
    const filter = {
      ...{ status, guestRef, bookedBy, from, to },
      withFailed: more.include_failed,
      venueId: await venueIdOf(ctx, venue),
    }
    const page = { before, limit: limit + 1 }
    const stored = await selectBookingsOf(ctx.db, accountOf(ctx).id, filter, page)
    const { rows, next_cursor } = pageOf(stored, limit, (last) => last.id)
    return { bookings: rows.map((one) => ownBookingOf(ctx, one)), next_cursor }
  },
})

async function venueIdOf(ctx: Context, venue: string | undefined): Promise<string | null> {
  if (venue === undefined) return null
  const row = await selectOptionalVenue(ctx.db, venue, isTest(ctx), true)
  if (!row) throw await venueNotFound(ctx, venue)
  return row.id
}
