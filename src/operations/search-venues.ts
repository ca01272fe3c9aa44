import { z } from 'zod'
import { interpretation, nextCursor, venue } from '../schema/public.ts'
import { findVenues } from '../search/find-venues.ts'
import { defineOperation } from './define.ts'
import { presentVenues, SLOTS_IN_LIST } from './present-venues.ts'

export const searchVenues = defineOperation({
  name: 'search venues',
  summary: 'Search venues by kind and area',
  description:
    'Finds restaurants, bars, gyms and spas in Bali and Southeast Asia from free text that names a kind of venue and an ' +
    'area, as in "sushi in Canggu". Each venue comes with its next bookable slots: `id` and `slot_time` are what a ' +
    'booking needs. `interpretation` says what was understood, dropped or widened.',
  tier: 'free',
  input: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .describe('A kind of venue and an area, as in "cocktail bar in Seminyak"'),
    limit: z.int().min(1).max(50).default(10).describe('Venues per page'),
    cursor: z.string().max(500).optional().describe('`next_cursor` of the page before'),
  }),
  output: z.object({ venues: z.array(venue), interpretation, next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { query, limit, cursor }) {
    const found = await findVenues(ctx.db, await ctx.lexicon(), { query, limit, cursor })
    return { ...found, venues: await presentVenues(ctx, found.venues, SLOTS_IN_LIST) }
  },
})
