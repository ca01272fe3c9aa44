import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { cancelledBy } from '../../bookings/operations/booking-fields.ts'
import * as shared from '../../contract/fields.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import type { GroupContext } from '../engine.ts'
import { itinerary } from '../schema.ts'
import { selectGroupStart } from '../store/group-progress.ts'
import { askToCancel } from '../store/groups.ts'
import { itineraryId, ownItinerary } from './get-itinerary.ts'
import { whileOpen } from './while-open.ts'

const isOver = (status: string) => status === 'failed' || status === 'cancelled'

export const cancelItinerary = defineOperation({
  name: 'cancel itinerary',
  summary: 'Cancel all parts of an itinerary',
  description:
    'Cancels an itinerary, in progress or booked. Each booked part is cancelled on its own ' +
    'terms: free until its `cancel_until`; after that its fee stays. Cancelling twice changes ' +
    'nothing, and an itinerary that has taken place is refused. To cancel one part alone, ' +
    'cancel its booking.',
  tier: 'free',
  scope: 'bookings',
  input: z
    .strictObject({ id: itineraryId, by: cancelledBy, wait: shared.wait })
    .meta({ id: 'CancelBody' }),
  output: z.object({
    status: z.enum(['cancelled', 'pending']),
    itinerary,
    next: shared.next.optional(),
    retry_after: shared.retryAfter.optional(),
  }),
  errors: ['itinerary_not_found', 'already_final', 'booking_engine_unavailable'],
  async run(ctx: GroupContext, { id, by, wait }) {
    const accountId = accountOf(ctx).id
    const before = await askToCancel(ctx.db, { id, accountId, by, at: ctx.at })
    if (!before) throw refuse('itinerary_not_found')
    if (before.has_taken_place) throw refuse('already_final', 'The itinerary has taken place.')
    if (!isOver(before.status)) {
      await ctx.engine.cancelGroup(await selectGroupStart(ctx.db, id), wait)
    }
    const current = await ownItinerary(ctx, id)
    if (isOver(current.status)) return { status: 'cancelled' as const, itinerary: current }
    return { status: 'pending' as const, itinerary: current, ...whileOpen(current, ctx.at) }
  },
})
