import {
  type NextSlots,
  type NextSlotsPlan,
  nextSlotsBy,
  planNextSlots,
} from '../../availability/store/next-slots.ts'
import { slotFeeFor } from '../../availability/store/present-slot.ts'
import type { Detail } from '../../contract/compact.ts'
import { decodeCursor } from '../../contract/cursor.ts'
import type { Interpretation } from '../../contract/interpretation.ts'
import type { Venue } from '../../contract/public.ts'
import { arrange } from '../search/arrange.ts'
import { interpret, requestedTimeOf } from '../search/interpret.ts'
import type { SearchContext } from '../search/lexicon.ts'
import type { Around } from '../search/near.ts'
import { blockSize, nextCursorOf, position } from '../search/position.ts'
import { choose } from '../search/preferences.ts'
import { asksForSlots } from '../search/understand.ts'
import { isWithheld, wantedSlots } from '../search/wanted-slots.ts'
import { asAsked } from './as-asked.ts'
import { recentBlockPlan } from './block-plans.ts'
import { type Missed, missedHint, missedVisit, partyHint } from './missed-visit.ts'
import { SLOTS_IN_LIST } from './present-venues.ts'
import { evaluateBlock, type JudgedBlock, writtenPage } from './written-pages.ts'

type PageRequest = {
  query: string
  around: Around
  limit: number
  cursor: string | undefined
  /** the form in which `write` renders a page */
  detail: Detail
}
type Block = JudgedBlock<NextSlotsPlan, Map<string, NextSlots>>
type Page = { venues: Venue[]; interpretation: Interpretation; next_cursor: string | null }

/** A page of search results from `write`, rerun only if the plan or taken inventory has changed. */
export function searchPage<W>(
  ctx: SearchContext,
  { query, around, limit, cursor, detail }: PageRequest,
  write: (page: Page) => W,
): Promise<W> {
  const { db, at } = ctx
  const here = decodeCursor(position, cursor)
  const { start = null, shown = [] } = here ?? {}
  return writtenPage(
    db,
    ['page', query, around, limit, cursor, detail],
    async ([before]: readonly Block[]) => {
      const plan = await recentBlockPlan(ctx, { query, around, start, size: here?.size, limit })
      const { search, services } = plan
      const { visit } = search.understood
      const block = await evaluateBlock(ctx, plan, before, {
        plan(earlier) {
          const requested = requestedTimeOf(search, at)
          const { kept } = choose(search, plan, requested)
          const rows = search.venues.filter((_, index) => kept.has(index) && !shown.includes(index))
          const { from, date, isExact } = requested
          const party = visit.partySize && { partySize: visit.partySize }
          const exact = isExact && date !== null && { day: date }
          const request = { at, count: SLOTS_IN_LIST, ...party, ...(from && { from }), ...exact }
          const venues = rows.map(({ venue }) => venue)
          return planNextSlots(db, venues, services, request, earlier)
        },
        judge: (slots, inventory) => nextSlotsBy(db, slots, inventory, slotFeeFor(ctx)),
      })
      const compose = () => {
        const requested = requestedTimeOf(search, at)
        const choice = choose(search, plan, requested)
        const wantedVisit = { ...requested, partySize: visit.partySize }
        const remaining = search.venues.flatMap(({ venue, standing }, index) => {
          const found = block.result.get(venue.id)
          const order = choice.kept.get(index)
          if (!found || order === undefined) return []
          const wanted = wantedSlots(found.slots, requested)
          const next = { ...found, slots: wanted.slots }
          const isPart = plan.asked.has(venue.id)
          const own = { ...next, isPart, services: services.byVenue.get(venue.id) }
          const missed = isWithheld(requested) ? null : missedVisit(own, wantedVisit, at)
          const note = missed?.note ?? wanted.note
          const availability = { as_of: at.toISOString(), note, ...next }
          const shown = { ...venue, availability }
          const isLess = plan.mentions.has(venue.id) || plan.lacking.has(venue.id)
          return [{ venue: shown, standing, order, index, missed, isLess }]
        })
        const slotsWanted = asksForSlots(search.understood) ? requested : null
        const { place, widened } = search.reading
        const nearestFirst = widened !== null && (place?.origin ?? null) !== null
        const page = arrange(remaining, slotsWanted, { nearestFirst }).slice(0, limit)
        const missedOf = (some: readonly { missed: Missed | null }[]) =>
          some.map(({ missed }) => missed)
        const hint =
          partyHint(missedOf(remaining), wantedVisit, search.next === null) ??
          missedHint(missedOf(page), wantedVisit)
        const indexes = [...shown, ...page.map(({ index }) => index)]
        const size = here?.size ?? blockSize(search.understood, limit)
        const isMore = remaining.length > page.length
        const venues = page.map(({ venue }) => asAsked(venue, plan))
        return {
          venues,
          interpretation: interpret(search, requested, choice, {
            isFirstPage: here === null,
            hint,
            shown: venues,
          }),
          next_cursor: nextCursorOf({ start, size, shown: indexes }, isMore, search.next),
        }
      }
      return { blocks: [block], write: () => write(compose()) }
    },
  )
}
