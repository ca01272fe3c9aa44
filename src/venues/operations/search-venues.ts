import { z } from 'zod'
import {
  type Context,
  defineOperation,
  type PreparedOutput,
  prepareOutput,
} from '../../contract/operation.ts'
import { interpretation, nextCursor, venue } from '../../contract/public.ts'
import { MOST_PER_PAGE } from '../search/position.ts'
import { hasSlotFilters, slotFields } from './filter-by-availability.ts'
import { searchAvailable } from './search-available.ts'
import { searchPage } from './search-page.ts'

/** The longest query, in characters. */
export const MOST_QUERY_CHARS = 200

const input = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(MOST_QUERY_CHARS)
    .describe('What to find and where, as in "cocktail bar in Seminyak for 2 tonight"'),
  ...slotFields,
  limit: z.int().min(1).max(MOST_PER_PAGE).default(10).describe('Venues per page'),
  cursor: z.string().max(800).optional().describe('`next_cursor` of the previous page'),
})
const output = z.object({ venues: z.array(venue), interpretation, next_cursor: nextCursor })

export const searchVenues = defineOperation({
  name: 'search venues',
  summary: 'Search venues by kind, area, name or sentence',
  description:
    'Finds restaurants, bars, gyms and spas in Bali and Southeast Asia from free text in ' +
    'English or ' +
    'Indonesian: a kind of venue and an area ("sushi in Canggu", "pijat di Ubud"), a ' +
    'landmark ("spa ' +
    'near Tanah Lot"), a name, or a sentence with party, day and time ("a table in Seminyak ' +
    'for 4 ' +
    'tomorrow at 7"), which then set the slots that are shown. `party_size`, `date` and ' +
    '`time` override ' +
    'the sentence and return only venues that are free then, nearest time first. Each venue ' +
    'comes with ' +
    'its next bookable slots: book with `id` and `slot_time`. `interpretation` reports what was ' +
    'understood, assumed, corrected, dropped or widened.',
  tier: 'free',
  mayLag: true,
  input,
  output,
  errors: ['invalid_cursor', 'slot_in_past'],
  run: async (ctx, input) => (await search(ctx, input)).output,
  runPrepared: search,
})

async function search(
  ctx: Context,
  { query, limit, cursor, ...filters }: z.output<typeof input>,
): Promise<PreparedOutput<z.output<typeof output>>> {
  const request = { query, limit, cursor }
  const write = (page: z.input<typeof output>) => prepareOutput(output, page)
  return hasSlotFilters(filters)
    ? searchAvailable(ctx, { ...request, filters }, write)
    : searchPage(ctx, request, write)
}
