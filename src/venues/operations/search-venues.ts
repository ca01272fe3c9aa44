import { z } from 'zod'
import { factsNamed, factWord } from '../../base/venue-facts.ts'
import { compactVenue, type Detail, demo, detail } from '../../contract/compact.ts'
import { interpretation } from '../../contract/interpretation.ts'
import {
  defineOperation,
  type OutputSchema,
  type PreparedOutput,
  prepareOutput,
  variantOf,
} from '../../contract/operation.ts'
import { requiredFacts } from '../../contract/place-fields.ts'
import { nextCursor, venue } from '../../contract/public.ts'
import { MAX_LENGTH } from '../search/length-lexicon.ts'
import type { SearchContext } from '../search/lexicon.ts'
import { MAX_RADIUS_KM } from '../search/near.ts'
import { MAX_PER_PAGE } from '../search/position.ts'
import { demoNotice, inBrief } from './compact-venue.ts'
import { hasSlotFilters, slotFields } from './filter-by-availability.ts'
import { searchAvailable } from './search-available.ts'
import { searchPage } from './search-page.ts'

/** Maximum length of a query, in characters: guests' messages are long, and only a part is read. */
export const MAX_QUERY_CHARS = 5_000
const READ_CHARS = 500

const CUT =
  `Only the first ${READ_CHARS} characters of the query were read: send what matters, with ` +
  '`party_size`, `date` and `time`.'

const input = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(MAX_QUERY_CHARS)
    .describe(
      'What to find and where, as in "cocktail bar in Seminyak for 2 tonight"; the first ' +
        `${READ_CHARS} characters are read`,
    ),
  facts: requiredFacts,
  near: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('A venue (id, slug or name), landmark, place or "latitude, longitude"'),
  radius_km: z
    .number()
    .min(0.1)
    .max(MAX_RADIUS_KM)
    .optional()
    .describe('At most this far from `near`'),
  service: z.string().trim().min(1).max(100).optional().describe('As in "hot stone massage"'),
  minutes: z.int().min(1).max(MAX_LENGTH).optional().describe('Length of the service'),
  ...slotFields,
  limit: z.int().min(1).max(MAX_PER_PAGE).default(5).describe('Venues per page'),
  cursor: z.string().max(800).optional().describe('`next_cursor` of the previous page'),
  detail,
})
const full = z.object({
  detail: z.literal('full'),
  venues: z.array(venue),
  interpretation,
  demo,
  next_cursor: nextCursor,
})
const compact = full.extend({ detail: z.literal('compact'), venues: z.array(compactVenue) })
const output = z.discriminatedUnion('detail', [compact, full])

export const searchVenues = defineOperation({
  name: 'search venues',
  summary: 'Search venues by kind, area, name or sentence',
  description:
    'Finds restaurants, bars, gyms and spas from free text in English or Indonesian: a kind ' +
    'of venue and a place ("sushi in Canggu", "pijat di Ubud"), something near ("spa near ' +
    'Tanah Lot", "dinner within 2 km of Kelapa Bathhouse"), a name, or a sentence with party, ' +
    'day, time and service ("90 minute massage for 2 tomorrow after lunch"), which then set the ' +
    'times that are shown. `party_size`, `date` and `time` override the sentence and return only ' +
    'venues that are free then, nearest time first. Each venue comes with its next bookable ' +
    'times: book its `id` with `slot_time`, a date and one of its times, and the fields of ' +
    '`book_with`. `interpretation` reports what was understood, assumed, corrected, dropped ' +
    'or widened.',
  input,
  output,
  errors: ['invalid_cursor', 'slot_in_past'],
  run: async (ctx, input) => (await search(ctx, input)).output,
  runPrepared: search,
})

/** The full output of `search venues`, for pages. Not in the catalogue. */
export const searchVenuesInFull = variantOf(searchVenues, {
  input: input.omit({ detail: true }),
  output: full,
  run: async (ctx, input) => (await searchInFull(ctx, input)).output,
  runPrepared: searchInFull,
})

type Search = Omit<z.output<typeof input>, 'detail'>
type Prepared<O extends OutputSchema> = Promise<PreparedOutput<z.output<O>>>

function search(
  ctx: SearchContext,
  { detail, ...request }: z.output<typeof input>,
): Prepared<typeof output> {
  if (detail === 'full') return searchInFull(ctx, request)
  return searchBy(ctx, request, detail, (page) => {
    const { facts } = page.interpretation
    return prepareOutput(compact, {
      ...page,
      detail,
      venues: page.venues.map((venue) => inBrief(venue, facts)),
    })
  })
}

function searchInFull(ctx: SearchContext, request: Search): Prepared<typeof full> {
  const detail = 'full'
  return searchBy(ctx, request, detail, (page) => prepareOutput(full, { ...page, detail }))
}

/** Calls `write` again only for a different page; `detail` is part of a page's identity. */
function searchBy<W>(
  ctx: SearchContext,
  {
    query: words,
    facts = [],
    service,
    minutes,
    near,
    radius_km,
    limit,
    cursor,
    ...filters
  }: Search,
  detail: Detail,
  write: (page: Omit<z.output<typeof full>, 'detail'>) => W,
): Promise<W> {
  const wish = [service, minutes && `${minutes} minutes`].filter(Boolean).join(' ')
  const isLong = words.length > READ_CHARS
  const read = isLong ? `${words.slice(0, READ_CHARS).replace(/\s+\S*$/, '')} …` : words
  const query = [read, ...(wish ? [wish] : []), ...factsNamed(facts).map(factWord)].join(', ')
  const request = { query, around: { near, radius_km }, limit, cursor, detail }
  const writeRead: typeof write = ({ interpretation, ...page }) => {
    const hint = [isLong && CUT, interpretation.hint].filter(Boolean).join(' ') || null
    const read = { ...interpretation, hint }
    return write({ ...page, ...demoNotice(page.venues), interpretation: read })
  }
  return hasSlotFilters(filters)
    ? searchAvailable(ctx, { ...request, filters }, writeRead)
    : searchPage(ctx, request, writeRead)
}
