import { dateOf } from '../../contract/rules/slot-time.ts'
import type { OfferedSlot } from '../rules/slots.ts'
import type { Span } from './occupancy.ts'
import type { Offering } from './offerings.ts'

type Candidate = { offering: Offering; slot: OfferedSlot }

/** What has to be known to judge the candidates of one offering: what is taken in a span, and what the venue's own system says of dates. */
export type InventoryQuery = {
  offering: Offering
  span: Span
  /** in order; none where the network alone decides */
  dates: readonly string[]
}

const known = new WeakMap<readonly Candidate[], readonly InventoryQuery[]>()

/** What has to be known to judge these candidates, offering by offering; worked out once for a list. */
export function inventoryQueriesOf(candidates: readonly Candidate[]): readonly InventoryQuery[] {
  const before = known.get(candidates)
  if (before) return before
  const groups = Map.groupBy(candidates, ({ offering }) => offering)
  const reach = [...groups].map(([offering, group]) => ({
    offering,
    span: spanOf(offering, group),
    dates: offering.confirm_mode === 'http' ? datesOf(group) : [],
  }))
  known.set(candidates, reach)
  return reach
}

const datesOf = (candidates: readonly Candidate[]): string[] =>
  [...new Set(candidates.map(({ slot }) => dateOf(slot.slotTime)))].sort()

/** From the first candidate's beginning until the last could be over, had it the longest stay. */
function spanOf({ id, rules }: Offering, candidates: readonly Candidate[]): Span {
  const starts = candidates.map(({ slot }) => slot.startsAt.getTime())
  const longest = Math.max(...rules.durations.map(({ minutes }) => minutes)) + rules.buffer_minutes
  return {
    offeringId: id,
    from: new Date(Math.min(...starts)),
    until: new Date(Math.max(...starts) + longest * 60_000),
  }
}
