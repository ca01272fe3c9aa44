import { z } from 'zod'
import { evaluated } from '../../availability/store/bookable-slots.ts'
import { readServices } from '../../availability/store/party-services.ts'
import { decodeCursor, encodeCursor } from '../../contract/cursor.ts'
import type { Context } from '../../contract/operation.ts'
import { resolveTime } from '../search/requested-time.ts'
import { anyVisit } from '../search/visit.ts'
import { type PageStart, pageStart, selectVenuePage } from '../store/venue-search.ts'
import { asAsked } from './as-asked.ts'
import { availablePage, BLOCK } from './available-page.ts'
import { weekAround } from './block-plans.ts'
import {
  evaluateAvailability,
  explicitFilters,
  nearOf,
  planAvailability,
  type SlotFilters,
} from './filter-by-availability.ts'

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
export async function listAvailable(ctx: Context, { scope, limit, cursor, filters }: ListRequest) {
  const visit = explicitFilters(anyVisit, filters)
  const readBlock = async (start: PageStart | null) => {
    const block = { ...scope, after: start, limit: BLOCK }
    const { venues, next } = await selectVenuePage(ctx.db, block)
    const { category } = scope
    const timezone = venues[0]?.timezone ?? 'UTC'
    const requested = resolveTime(visit, { category, timezone, at: ctx.at })
    const near = nearOf(requested, filters, { timezone, at: ctx.at })
    const ids = venues.map(({ id }) => id)
    const services = await readServices(ctx.db, ids, weekAround(requested.from ?? ctx.at))
    const { partySize } = visit
    const plan = await planAvailability(ctx, venues, services, { partySize, near })
    const available = await evaluated(ctx.db, plan, (slots, inventory) =>
      evaluateAvailability(ctx, slots, inventory),
    )
    return { venues, next, available, offered: services }
  }
  const from = decodeCursor(position, cursor) ?? { start: null, shown: [] }
  const { venues, block, next } = await availablePage(from, { limit, at: ctx.at }, readBlock)
  return {
    venues: venues.map((venue) => asAsked(venue, block)),
    next_cursor: next && encodeCursor(next),
  }
}
