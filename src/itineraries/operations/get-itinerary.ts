import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { ownBookingOf } from '../../bookings/steps/guest-link.ts'
import * as shared from '../../contract/fields.ts'
import { accountOf, type Context, defineOperation } from '../../contract/operation.ts'
import { itinerary } from '../schema.ts'
import { selectOptionalItinerary } from '../store/group-view.ts'
import { whileOpen } from './while-open.ts'

export const itineraryId = z.uuid().toLowerCase().describe('Itinerary id')

/** An itinerary of the caller's account; throws `itinerary_not_found`. */
export async function ownItinerary(ctx: Context, id: string) {
  const itinerary = await selectOptionalItinerary(ctx.db, accountOf(ctx).id, id)
  if (!itinerary) throw refuse('itinerary_not_found')
  const parts = itinerary.parts.map(({ booking, ...part }) => ({
    ...part,
    booking: booking && ownBookingOf(ctx, booking),
  }))
  return { ...itinerary, parts }
}

export const getItinerary = defineOperation({
  name: 'read itinerary',
  summary: 'Read an itinerary',
  description: 'Returns the status of an itinerary, and each of its parts with its booking.',
  part: 'bookings',
  input: z.strictObject({ id: itineraryId }),
  output: z.object({
    itinerary,
    next: shared.next.optional(),
    retry_after: shared.retryAfter.optional(),
  }),
  errors: ['itinerary_not_found'],
  async run(ctx, { id }) {
    const current = await ownItinerary(ctx, id)
    return { itinerary: current, ...whileOpen(current, ctx.at) }
  },
})
