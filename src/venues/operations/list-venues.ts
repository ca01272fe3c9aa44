import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { factsNamed } from '../../base/venue-facts.ts'
import { compactVenue, detail } from '../../contract/compact.ts'
import { decodeCursor, encodeCursor } from '../../contract/cursor.ts'
import { defineOperation, isTest, variantOf } from '../../contract/operation.ts'
import { requiredFacts } from '../../contract/place-fields.ts'
import { nextCursor, venue } from '../../contract/public.ts'
import type { SearchContext } from '../search/lexicon.ts'
import { findArea, type Lexicon } from '../search/lexicon.ts'
import type { SearchArea } from '../search/places.ts'
import { pageStart, selectVenuePage } from '../store/venue-search.ts'
import { inBrief } from './compact-venue.ts'
import { hasSlotFilters, slotFields } from './filter-by-availability.ts'
import { listAvailable } from './list-available.ts'
import { presentVenues, SLOTS_IN_LIST } from './present-venues.ts'
import { inSearchTurn } from './search-turns.ts'

const input = z.strictObject({
  category: venue.shape.category.optional(),
  area: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('An area, city, island or country by name or slug: "canggu", "Gili Air", "Bali"'),
  facts: requiredFacts,
  ...slotFields,
  limit: z.int().min(1).max(50).default(10).describe('Venues per page'),
  cursor: z.string().max(500).optional().describe('`next_cursor` of the previous page'),
  detail,
})
const full = z.object({
  detail: z.literal('full'),
  venues: z.array(venue),
  next_cursor: nextCursor,
})
const compact = full.extend({ detail: z.literal('compact'), venues: z.array(compactVenue) })

export const listVenues = defineOperation({
  name: 'list venues',
  summary: 'List the venues of a category or area',
  description:
    'Lists every venue of a category, of an area, or of both, in a stable order, page by page. ' +
    'Use it to see all there is; to match words such as a cuisine, search instead. Each venue ' +
    'comes with its next bookable times. With `party_size`, `date` or `time`, it lists only ' +
    'those that are free then, nearest time first.',
  tier: 'free',
  input,
  output: z.discriminatedUnion('detail', [compact, full]),
  errors: ['invalid_cursor', 'slot_in_past'],
  async run(ctx: SearchContext, { detail, ...request }) {
    const page = await inSearchTurn(ctx, { words: 0 }, () => list(ctx, request))
    return detail === 'full'
      ? page
      : { ...page, detail, venues: page.venues.map((venue) => inBrief(venue, request.facts)) }
  },
})

/** The full output of `list venues`, for pages. Not in the catalogue. */
export const listVenuesInFull = variantOf(listVenues, {
  input: input.omit({ detail: true }),
  output: full,
  run: (ctx: SearchContext, request) => inSearchTurn(ctx, { words: 0 }, () => list(ctx, request)),
})

async function list(
  ctx: SearchContext,
  {
    category: requestedCategory,
    area,
    facts = [],
    limit,
    cursor,
    ...filters
  }: Omit<z.output<typeof input>, 'detail'>,
): Promise<z.output<typeof full>> {
  const category = requestedCategory ?? null
  const areas = area === undefined ? null : areaNamed(area, await ctx.lexicon(isTest(ctx))).areas
  const scope = { isTest: isTest(ctx), category, areas, needed: factsNamed(facts) }
  if (hasSlotFilters(filters)) {
    return { detail: 'full', ...(await listAvailable(ctx, { scope, limit, cursor, filters })) }
  }
  const after = decodeCursor(pageStart, cursor)
  const page = { ...scope, after, limit }
  const { venues, next } = await selectVenuePage(ctx.db, page)
  return {
    detail: 'full',
    venues: await presentVenues(ctx, venues, SLOTS_IN_LIST),
    next_cursor: next && encodeCursor(next),
  }
}

/** A network can have thousands of towns. */
const MAX_NAMED = 100

function areaNamed(area: string, lexicon: Lexicon): SearchArea {
  const match = findArea(lexicon, area)
  if (match) return match
  const detail = 'expected a city, island or country that the network covers, or one of `areas`'
  throw refuse('invalid_request', `No area is called "${area}".`, {
    errors: [{ pointer: '/area', detail }],
    areas: lexicon.areas.slice(0, MAX_NAMED).map(({ slug }) => slug),
  })
}
