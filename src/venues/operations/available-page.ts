import type { AvailableVenue } from '../../availability/store/available-near.ts'
import type { VenueRow } from '../../availability/store/venues.ts'
import type { BareVenue } from './as-asked.ts'

/** A block's venues, best match first; the available ones; and the start of the next block. */
type Block<S> = {
  venues: readonly VenueRow[]
  available: ReadonlyMap<string, AvailableVenue>
  next: S | null
}
/** Where a page starts: its block, and the block's venues already shown on earlier pages. */
type Position<S> = { start: S | null; shown: readonly number[] }

/** How many venues' slots are compared for a page. */
export const BLOCK = 50
const MAX_BLOCKS = 6

/**
 * A page of available venues, nearest time first, then better match. They all come from the first
 * block with any, so that each venue appears once, whatever is booked between pages.
 */
export async function availablePage<S, B extends Block<S>>(
  position: Position<S>,
  { limit, at }: { limit: number; at: Date },
  readBlock: (start: S | null) => Promise<B>,
): Promise<{ venues: BareVenue[]; block: B; next: Position<S> | null }> {
  let { start, shown } = position
  for (let blocks = 1; ; blocks += 1) {
    const block = await readBlock(start)
    const matches = block.venues
      .flatMap((row, index) => {
        const available = shown.includes(index) ? undefined : block.available.get(row.id)
        return available ? [{ row, index, ...available }] : []
      })
      .sort((a, b) => a.distance - b.distance || a.index - b.index)
    if (matches.length > 0 || block.next === null || blocks === MAX_BLOCKS) {
      const page = matches.slice(0, limit)
      const hasMore = matches.length > page.length
      const all = [...shown, ...page.map(({ index }) => index)]
      const next = hasMore ? { start, shown: all } : block.next && { start: block.next, shown: [] }
      const as_of = at.toISOString()
      const venues = page.map(({ row, availability }) => ({
        ...row,
        availability: { as_of, note: null, ...availability },
      }))
      return { venues, block, next }
    }
    start = block.next
    shown = []
  }
}
