import { z } from 'zod'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { itinerary } from '../schema.ts'
import { selectOptionalItinerary } from '../store/group-view.ts'

export const getItinerary = defineOperation({
  name: 'read itinerary',
  summary: 'One itinerary of your account',
  description: 'Answers where an itinerary stands, and each of its parts with its booking.',
  tier: 'free',
  input: z.strictObject({ id: z.uuid().toLowerCase().describe('Itinerary id') }),
  output: z.object({ itinerary }),
  errors: ['itinerary_not_found'],
  async run(ctx, { id }) {
    const found = await selectOptionalItinerary(ctx.db, accountOf(ctx).id, id)
    if (!found) throw refuse('itinerary_not_found')
    return { itinerary: found }
  },
})
