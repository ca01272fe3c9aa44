import { decodeCursor, encodeCursor } from '../../contract/cursor.ts'
import type { Context } from '../../contract/define.ts'
import { type FoundVenues, findVenues, type Start } from '../search/find-venues.ts'
import { interpret, requestedTimeOf } from '../search/interpret.ts'
import { position } from '../search/position.ts'
import { availablePage, BLOCK } from './available-page.ts'
import {
  explicitFilters,
  filterByAvailability,
  nearOf,
  type SlotFilters,
} from './filter-by-availability.ts'

type Asked = { query: string; limit: number; cursor: string | undefined; slot: SlotFilters }

const HINT =
  'Venues match, but none of them is free for such a party then. Try another time or date, or leave them out.'

/** A page of the venues that a free text asks for and that are free for the party then. */
export async function searchAvailable(ctx: Context, { query, limit, cursor, slot }: Asked) {
  const page = cursor === undefined ? null : decodeCursor(position, cursor)
  const place = { start: page?.start ?? null, shown: page?.shown ?? [] }
  const lexicon = await ctx.lexicon()
  const read = async (start: Start | null) => {
    const found = await findVenues(ctx.db, lexicon, { query, sizeFor: () => BLOCK, start })
    const visit = explicitFilters(found.understood.visit, slot)
    const asked: FoundVenues = { ...found, understood: { ...found.understood, visit } }
    const venues = found.venues.map(({ venue }) => venue)
    return { venues, next: found.next, asked, wanted: requestedTimeOf(asked, ctx.at) }
  }
  const { venues, block, next } = await availablePage(place, limit, read, (block, rows) => {
    const { asked, wanted } = block
    const timezone = asked.timezone ?? rows[0]?.timezone ?? 'UTC'
    const near = nearOf(wanted, slot, { timezone, at: ctx.at })
    return filterByAvailability(ctx, rows, { partySize: asked.understood.visit.partySize, near })
  })
  const said = interpret(block.asked, block.wanted, page === null)
  const isBare = venues.length === 0 && page === null && block.venues.length > 0
  return {
    venues,
    interpretation: isBare ? { ...said, hint: HINT } : said,
    next_cursor: next && encodeCursor({ ...next, size: BLOCK }),
  }
}
