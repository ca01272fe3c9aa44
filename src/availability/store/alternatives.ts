import { DAY_MS } from '../../contract/rules/durations.ts'
import { toInstantPastGap } from '../../contract/rules/local-time.ts'
import type { Db } from '../../platform/database/sql.ts'
import { selectBookable } from './bookable-slots.ts'
import { type CandidateSlot, candidatesOf } from './candidate-slots.ts'
import { offeredTo, readOfferings } from './party-offerings.ts'
import { selectNeighbours, selectVenueRef, type VenueRef } from './venues.ts'

const NEIGHBOURS = 12

export type Alternative = { venue: Pick<VenueRef, 'id' | 'slug' | 'name'>; slot_time: string }
export type RefusedSlot = { slotTime: string; partySize: number; at: Date; limit: number }

/**
 * What could be booked instead: the nearest times at the venue from a day before to two days after,
 * then the nearest time at each neighbour of the same category and area.
 */
export async function selectAlternatives(
  db: Db,
  venueId: string,
  refused: RefusedSlot,
): Promise<Alternative[]> {
  const venue = await selectVenueRef(db, venueId)
  const own = await selectNearest(db, [venue], refused, refused.limit)
  if (own.length === refused.limit) return own
  const neighbours = await selectNeighbours(db, venueId, NEIGHBOURS)
  const theirs = await selectNearest(db, neighbours, refused, 1)
  return [...own, ...theirs].slice(0, refused.limit)
}

async function selectNearest(
  db: Db,
  venues: readonly VenueRef[],
  { slotTime, partySize, at }: RefusedSlot,
  count: number,
): Promise<Alternative[]> {
  const [first] = venues
  if (!first) return []
  const asked = Math.max(toInstantPastGap(first.timezone, slotTime).getTime(), at.getTime())
  const period = { at, from: new Date(asked - DAY_MS), until: new Date(asked + 2 * DAY_MS) }
  const distance = ({ slot }: CandidateSlot) => Math.abs(slot.startsAt.getTime() - asked)
  const nearestFirst = (a: CandidateSlot, b: CandidateSlot) => distance(a) - distance(b)
  const ids = venues.map(({ id }) => id)
  const offerings = offeredTo(await readOfferings(db, ids, period), partySize)
  const candidates = [...offerings].map(
    ([id, own]) => [id, candidatesOf(own, period).sort(nearestFirst)] as const,
  )
  const bookable = await selectBookable(db, new Map(candidates), count)
  return venues
    .flatMap(({ id, slug, name }) =>
      (bookable.get(id) ?? []).map((found) => ({ venue: { id, slug, name }, found })),
    )
    .sort((a, b) => nearestFirst(a.found, b.found))
    .map(({ venue, found }) => ({ venue, slot_time: found.slot.slotTime }))
}
