import type { AvailableVenue } from '../../availability/store/available-near.ts'
import type { Detail } from '../../contract/compact.ts'
import { decodeCursor, encodeCursor } from '../../contract/cursor.ts'
import type { Interpretation } from '../../contract/interpretation.ts'
import type { Venue } from '../../contract/public.ts'
import type { Start } from '../search/find-venues.ts'
import { interpret, requestedTimeOf } from '../search/interpret.ts'
import type { SearchContext } from '../search/lexicon.ts'
import type { Around } from '../search/near.ts'
import { position } from '../search/position.ts'
import { choose } from '../search/preferences.ts'
import { isWithheld, wantedSlots } from '../search/wanted-slots.ts'
import { asAsked } from './as-asked.ts'
import { availablePage, BLOCK } from './available-page.ts'
import { recentBlockPlan } from './block-plans.ts'
import {
  type AvailabilityPlan,
  evaluateAvailability,
  nearOf,
  planAvailability,
  type SlotFilters,
  withFilters,
} from './filter-by-availability.ts'
import { missedAll, noneFree, withNote } from './missed-visit.ts'
import { evaluateBlock, type JudgedBlock, writtenPage } from './written-pages.ts'

type Page = { venues: Venue[]; interpretation: Interpretation; next_cursor: string | null }
type SearchRequest = {
  query: string
  around: Around
  limit: number
  cursor: string | undefined
  filters: SlotFilters
  /** the form in which `write` renders a page */
  detail: Detail
}

/** Exceeds the distance (ms) of any slot from the wanted time. */
const LESS_LAST = 1e12

/** A page of the venues that match a text and are free for the party at the given time. */
export function searchAvailable<W>(
  ctx: SearchContext,
  { query, around, limit, cursor, filters, detail }: SearchRequest,
  write: (page: Page) => W,
): Promise<W> {
  const page = decodeCursor(position, cursor)
  const from = { start: page?.start ?? null, shown: page?.shown ?? [] }
  return writtenPage(
    ctx.db,
    ['available', query, around, limit, cursor, filters, detail],
    async (before: readonly Block[]) => {
      const blocks: Block[] = []
      const readNext = async (start: Start | null) => {
        const block = await readBlock(ctx, { query, around, filters, start }, before[blocks.length])
        blocks.push(block)
        const { search } = block.plan
        const filtered = withFilters(search, filters)
        const { plan } = block
        const requested = requestedTimeOf(filtered, ctx.at)
        const choice = choose(filtered, plan, requested, { byTime: true })
        const venues = search.venues.map(({ venue }) => venue)
        const suitable = venues.filter((_, index) => choice.kept.has(index))
        const available = new Map(
          suitable.flatMap(({ id }) => {
            const one = block.result.get(id)
            const isLess = plan.mentions.has(id) || plan.lacking.has(id)
            const distance = (one?.distance ?? 0) + (isLess ? LESS_LAST : 0)
            if (!one) return []
            const availability = {
              ...one.availability,
              ...wantedSlots(one.availability.slots, requested),
            }
            return [[id, { availability, distance: isWithheld(requested) ? 0 : distance }] as const]
          }),
        )
        return { venues, available, next: search.next, search: filtered, choice, plan }
      }
      const {
        venues: free,
        block,
        next,
      } = await availablePage(from, { limit, at: ctx.at }, readNext)
      const { search, choice, plan } = block
      const requested = requestedTimeOf(search, ctx.at)
      const wanted = { ...requested, partySize: search.understood.visit.partySize }
      const noted = free.map((venue) => withNote(venue, plan, wanted, ctx.at))
      const venues = noted.map((venue) => asAsked(venue, plan))
      const missed = () =>
        blocks.flatMap(({ plan }) => {
          const all = plan.search.venues.map(({ venue }) => venue)
          return missedAll(all, plan, wanted, ctx.at)
        })
      const compose = () => {
        const isBare = venues.length === 0 && page === null && block.venues.length > 0
        const hint = isBare ? noneFree(missed(), wanted, next === null) : null
        return {
          venues,
          interpretation: interpret(search, requested, choice, {
            isFirstPage: page === null,
            hint,
            shown: venues,
          }),
          next_cursor: next && encodeCursor({ ...next, size: BLOCK }),
        }
      }
      return { blocks, write: () => write(compose()) }
    },
  )
}

type Block = JudgedBlock<AvailabilityPlan, Map<string, AvailableVenue>>

async function readBlock(
  ctx: SearchContext,
  {
    query,
    around,
    filters,
    start,
  }: Pick<SearchRequest, 'query' | 'around' | 'filters'> & { start: Start | null },
  before: Block | undefined,
): Promise<Block> {
  const plan = await recentBlockPlan(ctx, { query, around, start, size: BLOCK, date: filters.date })
  return evaluateBlock(ctx, plan, before, {
    plan(earlier) {
      const { timezone: ofPlace, ...search } = withFilters(plan.search, filters)
      const venues = search.venues.map(({ venue }) => venue)
      const timezone = ofPlace ?? venues[0]?.timezone ?? 'UTC'
      const requested = requestedTimeOf({ ...search, timezone }, ctx.at)
      const near = nearOf(requested, filters, { timezone, at: ctx.at })
      const { partySize } = search.understood.visit
      return planAvailability(ctx, venues, plan.services, { partySize, near }, earlier)
    },
    judge: (slots, inventory) => evaluateAvailability(ctx, slots, inventory),
  })
}
