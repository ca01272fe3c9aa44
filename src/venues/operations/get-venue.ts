import { z } from 'zod'
import { selectOptionalVenue } from '../../availability/store/venues.ts'
import { defineOperation } from '../../contract/operation.ts'
import { venue } from '../../contract/public.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { presentVenues, SLOTS_ALONE } from './present-venues.ts'

export const getVenue = defineOperation({
  name: 'one venue',
  summary: 'One venue with its next bookable slots',
  description:
    'Shows one venue by its slug or id, with more of its next bookable slots than lists do. ' +
    'Use it before booking, or ' +
    'to see what is free now.',
  tier: 'free',
  input: z.strictObject({
    slug: z.string().describe('`slug` or `id` of a venue from search or listing'),
  }),
  output: z.object({ venue }),
  errors: ['venue_not_found'],
  async run(ctx, { slug }) {
    const row = await selectOptionalVenue(ctx.db, slug)
    const [found] = row ? await presentVenues(ctx, [row], SLOTS_ALONE) : []
    if (!found) throw refuse('venue_not_found')
    return { venue: found }
  },
})
