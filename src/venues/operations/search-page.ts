import { readInventory } from '../../availability/store/inventory-query.ts'
import {
  type NextSlots,
  type NextSlotsPlan,
  nextSlotsBy,
  planNextSlots,
} from '../../availability/store/next-slots.ts'
import { decodeCursor } from '../../contract/cursor.ts'
import type { Context } from '../../contract/operation.ts'
import type { Interpretation, Venue } from '../../contract/public.ts'
import { arrange } from '../search/arrange.ts'
import { findVenues } from '../search/find-venues.ts'
import { interpret } from '../search/interpret.ts'
import { blockSize, nextCursorOf, position } from '../search/position.ts'
import { asksForSlots, type Understood } from '../search/understand.ts'
import { type BlockPlan, recentBlockPlan } from './block-plans.ts'
import { SLOTS_IN_LIST } from './present-venues.ts'

type PageRequest = { query: string; limit: number; cursor: string | undefined }
type Page = { venues: Venue[]; interpretation: Interpretation; next_cursor: string | null }

/** The slots of a page, and the page as it was last written for what was taken then. */
type PagePlan<W> = {
  next: NextSlotsPlan
  lastCall: number
  written?: { next: NextSlotsPlan; taken: string; page: W }
}

/** A page of search, as `write` wrote it: again only when its plan or what is taken has changed. */
export async function searchPage<W>(
  ctx: Context,
  { query, limit, cursor }: PageRequest,
  write: (page: Page) => W,
): Promise<W> {
  const { db, at } = ctx
  const here = cursor === undefined ? null : decodeCursor(position, cursor)
  const sizeFor = (understood: Understood) => here?.size ?? blockSize(understood, limit)
  const { start = null, shown = [] } = here ?? {}
  const plan = await recentBlockPlan<PagePlan<W>>(
    ctx,
    ['page', query, limit, cursor],
    async () => findVenues(db, await ctx.lexicon(), { query, sizeFor, start }),
    async ({ venues, understood }, { from }) => {
      const { partySize } = understood.visit
      const rows = venues.filter((_, index) => !shown.includes(index)).map(({ venue }) => venue)
      const request = { at, count: SLOTS_IN_LIST, ...(partySize && { partySize }) }
      const next = await planNextSlots(db, rows, { ...request, ...(from && { from }) })
      return { next, lastCall: next.lastCall }
    },
  )
  return writtenPage(ctx, plan.slots, (slots) => {
    const { found, requested } = plan
    const left = found.venues.flatMap(({ venue, standing }, index) => {
      const next = slots.get(venue.id)
      const availability = next && { as_of: at.toISOString(), ...next }
      return availability ? [{ venue: { ...venue, availability }, standing, index }] : []
    })
    const isForSlots = asksForSlots(found.understood)
    const page = arrange(left, isForSlots ? requested : null).slice(0, limit)
    const seen = [...shown, ...page.map(({ index }) => index)]
    const block = { start, size: sizeFor(found.understood), shown: seen }
    return write({
      venues: page.map(({ venue }) => venue),
      interpretation: interpret(found, requested, here === null),
      next_cursor: nextCursorOf(block, left.length > page.length, found.next),
    })
  })
}

async function writtenPage<W>(
  ctx: Context,
  slots: BlockPlan<PagePlan<W>>['slots'],
  write: (slots: ReadonlyMap<string, NextSlots>) => W,
): Promise<W> {
  const { next, written } = slots
  const taken = await readInventory(ctx.db, next.inventory)
  if (written?.next === next && written.taken === taken.text) return written.page
  const found = await nextSlotsBy(ctx.db, next, taken, ctx.settings.feePct)
  if ('wider' in found) {
    slots.next = found.wider
    return writtenPage(ctx, slots, write)
  }
  const page = write(found.slots)
  slots.written = { next, taken: taken.text, page }
  return page
}
