import { z } from 'zod'
import type { VenueRow } from '../../availability/store/venues.ts'
import { decodeCursor } from '../../contract/cursor.ts'
import { type Context, defineOperation } from '../../contract/define.ts'
import {
  type Interpretation,
  interpretation,
  nextCursor,
  type Venue,
  venue,
} from '../../contract/public.ts'
import { createOfSameBasis } from '../../platform/database/same-basis.ts'
import { arrange } from '../search/arrange.ts'
import { type FoundVenue, type FoundVenues, findVenues } from '../search/find-venues.ts'
import { interpret, requestedTimeOf } from '../search/interpret.ts'
import { blockSize, MOST_PER_PAGE, nextCursorOf, position } from '../search/position.ts'
import type { RequestedTime } from '../search/requested-time.ts'
import { asksForSlots, type Understood } from '../search/understand.ts'
import { hasSlotFilters, slotFields } from './filter-by-availability.ts'
import { presentVenues, SLOTS_IN_LIST } from './present-venues.ts'
import { searchAvailable } from './search-available.ts'

/** So long a sentence can be. */
export const MOST_QUERY_CHARS = 200

export const searchVenues = defineOperation({
  name: 'search venues',
  summary: 'Search venues by kind, area, name or sentence',
  description:
    'Finds restaurants, bars, gyms and spas in Bali and Southeast Asia from free text, English or Indonesian: a kind of venue ' +
    'and an area ("sushi in Canggu", "pijat di Ubud"), a landmark ("spa near Tanah Lot"), a name, or a sentence with party, day ' +
    'and time ("a table in Seminyak for 4 tomorrow at 7"), for which the slots are then. `party_size`, `date` and `time` outrank ' +
    'the sentence and leave only venues that are free then, the nearest time first. Each venue comes with its next ' +
    'bookable slots: `id` and `slot_time` are what a booking needs. `interpretation` says what was understood, assumed, ' +
    'corrected, dropped or widened.',
  tier: 'free',
  input: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(MOST_QUERY_CHARS)
      .describe('What to find and where, as in "cocktail bar in Seminyak for 2 tonight"'),
    ...slotFields,
    limit: z.int().min(1).max(MOST_PER_PAGE).default(10).describe('Venues per page, at most'),
    cursor: z.string().max(800).optional().describe('`next_cursor` of the page before'),
  }),
  output: z.object({ venues: z.array(venue), interpretation, next_cursor: nextCursor }),
  errors: ['invalid_cursor', 'slot_in_past'],
  async run(ctx, input) {
    const { query, limit, cursor, ...slot } = input
    if (hasSlotFilters(slot)) return searchAvailable(ctx, { query, limit, cursor, slot })
    const page = cursor === undefined ? null : decodeCursor(position, cursor)
    const sizeFor = (understood: Understood) => page?.size ?? blockSize(understood, limit)
    const start = page?.start ?? null
    const found = await findVenues(ctx.db, await ctx.lexicon(), { query, sizeFor, start })
    const wanted = requestedTimeOf(found, ctx.at)
    const left = await leftOf(ctx, found, { query, wanted, shown: page?.shown ?? [] })
    const { date, time, assumed } = wanted
    const basis = [JSON.stringify(input), date, time, assumed, ...left.map(({ venue }) => venue)]
    return pages(found, basis, () => {
      const shown = arrange(left, asksForSlots(found.understood) ? wanted : null).slice(0, limit)
      const indexes = [...(page?.shown ?? []), ...shown.map(({ index }) => index)]
      const size = sizeFor(found.understood)
      return {
        venues: shown.map(({ venue }) => venue),
        interpretation: interpret(found, wanted, page === null),
        next_cursor: nextCursorOf(
          { start, size, shown: indexes },
          left.length > shown.length,
          found.next,
        ),
      }
    })
  },
})

type Page = { venues: Venue[]; interpretation: Interpretation; next_cursor: string | null }

/** A page on which nothing has changed is the same object, which the doors have written out already. */
const pages = createOfSameBasis<FoundVenues, Page>()

/** The venues of the block that no page has shown, with what they have for the party from the wanted time on. */
async function leftOf(
  ctx: Context,
  found: FoundVenues,
  { query, wanted, shown }: { query: string; wanted: RequestedTime; shown: readonly number[] },
) {
  const { left, rows } = unshown(found, [shown.join()], () => {
    const left = found.venues
      .map((one, index) => ({ ...one, index }))
      .filter(({ index }) => !shown.includes(index))
    return { left, rows: left.map(({ venue }) => venue) }
  })
  const { partySize } = found.understood.visit
  const { from } = wanted
  const presented = await presentVenues(ctx, rows, {
    count: SLOTS_IN_LIST,
    list: query,
    ...(partySize && { partySize }),
    ...(from && { from }),
  })
  const byId = new Map(presented.map((one) => [one.id, one]))
  return left.flatMap(({ venue: { id }, standing, index }) => {
    const venue = byId.get(id)
    return venue ? [{ venue, standing, index }] : []
  })
}

type Unshown = { left: readonly (FoundVenue & { index: number })[]; rows: readonly VenueRow[] }

/** The same lists for the same page, so that what was looked up for them a moment ago can be found again. */
const unshown = createOfSameBasis<FoundVenues, Unshown>()
