import { z } from 'zod'
import { decodeCursor, encodeCursor, slugInCursor } from '../../contract/cursor.ts'
import type { Context } from '../../contract/define.ts'
import type { Category } from '../../contract/rules/venue-kinds.ts'
import { resolveTime } from '../search/requested-time.ts'
import { selectVenues } from '../store/venue-search.ts'
import { availablePage, BLOCK } from './available-page.ts'
import {
  explicitFilters,
  filterByAvailability,
  nearOf,
  type SlotFilters,
} from './filter-by-availability.ts'

const after = z.strictObject({ rank: z.number(), slug: slugInCursor })
type After = z.infer<typeof after>
const position = z.strictObject({
  start: after.nullable(),
  shown: z.array(z.int().min(0)).max(BLOCK),
})

type Asked = {
  category: Category | null
  areas: readonly string[] | null
  limit: number
  cursor: string | undefined
  slot: SlotFilters
}

/** A page of the venues of a category or area that are free for the party then. */
export async function listAvailable(ctx: Context, { category, areas, limit, cursor, slot }: Asked) {
  const place = cursor === undefined ? { start: null, shown: [] } : decodeCursor(position, cursor)
  const read = async (start: After | null) => {
    const scope = {
      category,
      areas,
      origin: null,
      exceptNames: [],
      terms: [],
      match: 'all',
    } as const
    const found = await selectVenues(ctx.db, { ...scope, after: start, limit: BLOCK + 1 })
    const venues = found.slice(0, BLOCK)
    const last = found.length > BLOCK ? venues.at(-1) : undefined
    return {
      venues: venues.map(({ venue }) => venue),
      next: last ? { rank: last.rank, slug: last.venue.slug } : null,
    }
  }
  const visit = explicitFilters({ partySize: null, day: null, clock: null, part: null }, slot)
  const { venues, next } = await availablePage(place, limit, read, (_, rows) => {
    const timezone = rows[0]?.timezone ?? 'UTC'
    const wanted = resolveTime(visit, { category, timezone, at: ctx.at })
    const near = nearOf(wanted, slot, { timezone, at: ctx.at })
    return filterByAvailability(ctx, rows, { partySize: visit.partySize, near })
  })
  return { venues, next_cursor: next && encodeCursor(next) }
}
