import { z } from 'zod'
import * as shared from '../../contract/fields.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { itinerary } from '../schema.ts'
import { selectGroupStart } from '../store/group-progress.ts'
import { selectOptionalItinerary } from '../store/group-view.ts'
import { askToCancel } from '../store/groups.ts'

export const cancelItinerary = defineOperation({
  name: 'cancel itinerary',
  summary: 'Cancel all parts of an itinerary',
  description:
    'Cancels an itinerary, in progress or booked. Of a booked one every part is cancelled by its own policy: free until its ' +
    '`cancel_until`, later its fee stays. Cancelling twice changes nothing. To cancel one part alone, cancel its booking.',
  tier: 'free',
  input: z.strictObject({
    id: z.uuid().toLowerCase().describe('Itinerary id'),
    by: z.enum(['guest', 'agent']).default('agent').describe('Who wants it'),
    wait: shared.wait,
  }),
  output: z.object({
    status: z.enum(['cancelled', 'pending']),
    itinerary,
    next: shared.next.optional(),
  }),
  errors: ['itinerary_not_found', 'booking_engine_unavailable'],
  async run(ctx, { id, by, wait }) {
    const accountId = accountOf(ctx).id
    const before = await askToCancel(ctx.db, { id, accountId, by, at: ctx.at })
    if (!before) throw refuse('itinerary_not_found')
    if (before !== 'failed' && before !== 'cancelled') {
      await ctx.engine.cancelGroup(await selectGroupStart(ctx.db, id), wait)
    }
    const now = await selectOptionalItinerary(ctx.db, accountId, id)
    if (!now) throw refuse('itinerary_not_found')
    if (now.status === 'failed' || now.status === 'cancelled') {
      return { status: 'cancelled' as const, itinerary: now }
    }
    const next = `Read the itinerary ${id} in a few seconds, or repeat this request to wait for it.`
    return { status: 'pending' as const, itinerary: now, next }
  },
})
