import { z } from 'zod'
import { evaluated } from '../../availability/store/bookable-slots.ts'
import { readServices } from '../../availability/store/party-services.ts'
import { refuse } from '../../base/errors.ts'
import { factsNamed } from '../../base/venue-facts.ts'
import { compactVenue, demo, detail } from '../../contract/compact.ts'
import { decodeCursor, encodeCursor } from '../../contract/cursor.ts'
import { type Context, defineOperation, isTest, variantOf } from '../../contract/operation.ts'
import { requiredFacts } from '../../contract/place-fields.ts'
import { nextCursor, venue } from '../../contract/public.ts'
import { findArea, type Lexicon, type SearchContext } from '../search/lexicon.ts'
import type { SearchArea } from '../search/places.ts'
import { resolveTime } from '../search/requested-time.ts'
import { anyVisit } from '../search/visit.ts'
import { type PageStart, pageStart, selectVenuePage } from '../store/venue-search.ts'
import { asAsked } from './as-asked.ts'
import { availablePage, BLOCK } from './available-page.ts'
import { weekAround } from './block-plans.ts'
import { demoNotice, inBrief } from './compact-venue.ts'
import {
  evaluateAvailability,
  explicitFilters,
  hasSlotFilters,
  nearOf,
  planAvailability,
  type SlotFilters,
  slotFields,
} from './filter-by-availability.ts'
import { missedAll, noneFree, withNote } from './missed-visit.ts'
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
  hint: z.string().optional().describe('Why no venue is listed'),
  demo,
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
  input,
  output: z.discriminatedUnion('detail', [compact, full]),
  errors: ['invalid_cursor', 'slot_in_past'],
  async run(ctx: SearchContext, { detail, ...request }) {
    const listed = await inSearchTurn(ctx, { words: 0 }, () => list(ctx, request))
    const page = { ...listed, ...demoNotice(listed.venues) }
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

const position = z.strictObject({
  start: pageStart.nullable(),
  shown: z.array(z.int().min(0)).max(BLOCK),
})

type ListRequest = {
  scope: Pick<Parameters<typeof selectVenuePage>[1], 'isTest' | 'category' | 'areas' | 'needed'>
  limit: number
  cursor: string | undefined
  filters: SlotFilters
}

/** A page of the venues in a category or area that are free for the party at the given time. */
async function listAvailable(ctx: Context, { scope, limit, cursor, filters }: ListRequest) {
  const visit = explicitFilters(anyVisit, filters)
  const { partySize } = visit
  const readBlock = async (start: PageStart | null) => {
    const request = { ...scope, after: start, limit: BLOCK }
    const { venues, next } = await selectVenuePage(ctx.db, request)
    const { category } = scope
    const timezone = venues[0]?.timezone ?? 'UTC'
    const requested = resolveTime(visit, { category, timezone, at: ctx.at })
    const near = nearOf(requested, filters, { timezone, at: ctx.at })
    const ids = venues.map(({ id }) => id)
    const services = await readServices(ctx.db, ids, weekAround(requested.from ?? ctx.at))
    const plan = await planAvailability(ctx, venues, services, { partySize, near })
    const available = await evaluated(ctx.db, plan, (slots, inventory) =>
      evaluateAvailability(ctx, slots, inventory),
    )
    const block = { venues, next, available, offered: services, services }
    return { ...block, wanted: { ...requested, partySize } }
  }
  const blocks: Awaited<ReturnType<typeof readBlock>>[] = []
  const from = decodeCursor(position, cursor) ?? { start: null, shown: [] }
  const { venues, block, next } = await availablePage(
    from,
    { limit, at: ctx.at },
    async (start) => {
      const block = await readBlock(start)
      blocks.push(block)
      return block
    },
  )
  const all = () => blocks.flatMap((one) => missedAll(one.venues, one, one.wanted, ctx.at))
  return {
    venues: venues.map((one) => asAsked(withNote(one, block, block.wanted, ctx.at), block)),
    ...(venues.length === 0 && { hint: noneFree(all(), block.wanted, next === null) }),
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
