import { decodeCursor, encodeCursor } from '../../contract/cursor.ts'
import type { Context } from '../../contract/operation.ts'
import { findVenues, type Start } from '../search/find-venues.ts'
import { interpret } from '../search/interpret.ts'
import { position } from '../search/position.ts'
import { availablePage, BLOCK } from './available-page.ts'
import { recentBlockPlan } from './block-plans.ts'
import {
  explicitFilters,
  filterByAvailability,
  nearOf,
  planAvailability,
  type SlotFilters,
} from './filter-by-availability.ts'

type SearchRequest = {
  query: string
  limit: number
  cursor: string | undefined
  filters: SlotFilters
}

const HINT =
  'Venues match, but none of them is free for that party then. Try another date or time, or ' +
  'remove a filter.'

/** A page of the venues that match a free text and are free for the party at the time. */
export async function searchAvailable(
  ctx: Context,
  { query, limit, cursor, filters }: SearchRequest,
) {
  const page = cursor === undefined ? null : decodeCursor(position, cursor)
  const read = async (start: Start | null) => {
    const { found, requested, slots } = await planBlock(ctx, { query, filters, start })
    const venues = found.venues.map(({ venue }) => venue)
    const available = await filterByAvailability(ctx, slots)
    return { venues, available, next: found.next, found, requested }
  }
  const from = { start: page?.start ?? null, shown: page?.shown ?? [] }
  const { venues, block, next } = await availablePage(from, limit, read)
  const interpretation = interpret(block.found, block.requested, page === null)
  const isBare = venues.length === 0 && page === null && block.venues.length > 0
  return {
    venues,
    interpretation: isBare ? { ...interpretation, hint: HINT } : interpretation,
    next_cursor: next && encodeCursor({ ...next, size: BLOCK }),
  }
}

function planBlock(
  ctx: Context,
  { query, filters, start }: Pick<SearchRequest, 'query' | 'filters'> & { start: Start | null },
) {
  const find = async () => {
    const found = await findVenues(ctx.db, await ctx.lexicon(), {
      query,
      sizeFor: () => BLOCK,
      start,
    })
    const visit = explicitFilters(found.understood.visit, filters)
    return { ...found, understood: { ...found.understood, visit } }
  }
  return recentBlockPlan(ctx, ['available', query, filters, start], find, (found, requested) => {
    const venues = found.venues.map(({ venue }) => venue)
    const timezone = found.timezone ?? venues[0]?.timezone ?? 'UTC'
    const near = nearOf(requested, filters, { timezone, at: ctx.at })
    const { partySize } = found.understood.visit
    return planAvailability(ctx, venues, { partySize, near })
  })
}
