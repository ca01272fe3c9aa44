import type { AvailableVenue } from '../../availability/store/available-near.ts'
import type { VenueRow } from '../../availability/store/venues.ts'
import type { Venue } from '../../contract/public.ts'

/** A block of venues by how well they match, and where the next one begins. */
type Block<S> = { venues: readonly VenueRow[]; next: S | null }
/** Where a page begins: a block, and which of its venues earlier pages have shown. */
type Position<S> = { start: S | null; shown: readonly number[] }

/** Venues whose slots are compared for a page. */
export const BLOCK = 50
const MOST_BLOCKS = 6

/**
 * A page of venues that are free, the nearest time first and of equals the better match: of the first block from `place` that has
 * any, so that each venue comes once whatever happens to its slots between two pages.
 */
export async function availablePage<S, B extends Block<S>>(
  place: Position<S>,
  limit: number,
  read: (start: S | null) => Promise<B>,
  freeOf: (block: B, venues: readonly VenueRow[]) => Promise<Map<string, AvailableVenue>>,
): Promise<{ venues: Venue[]; block: B; next: Position<S> | null }> {
  let { start, shown } = place
  for (let blocks = 1; ; blocks += 1) {
    const block = await read(start)
    const left = block.venues
      .map((row, index) => ({ row, index }))
      .filter(({ index }) => !shown.includes(index))
    const free = await freeOf(
      block,
      left.map(({ row }) => row),
    )
    const found = left
      .flatMap(({ row, index }) => {
        const its = free.get(row.id)
        return its ? [{ row, index, ...its }] : []
      })
      .sort((a, b) => a.distance - b.distance || a.index - b.index)
    if (found.length > 0 || block.next === null || blocks === MOST_BLOCKS) {
      const page = found.slice(0, limit)
      const hasMore = found.length > page.length
      const seen = [...shown, ...page.map(({ index }) => index)]
      const next = hasMore ? { start, shown: seen } : block.next && { start: block.next, shown: [] }
      const venues = page.map(({ row, availability }) => ({ ...row, availability }))
      return { venues, block, next }
    }
    start = block.next
    shown = []
  }
}
