import type { Availability } from '../../contract/public.ts'
import { toInstantPastGap } from '../../contract/rules/slot-time.ts'
import type { Db } from '../../platform/database/sql.ts'
import { presentSlot } from './availability.ts'
import { type Candidate, candidatesOf, selectBookable } from './bookable-slots.ts'
import { selectPartyOfferings } from './party-offerings.ts'

/** Local times at each venue: what is wanted, and how long (ms) before and after it will do. */
export type Near = { local: string; beforeMs: number; afterMs: number }

export type NearQuery = { at: Date; feePct: number; count: number; partySize?: number; near: Near }

/** What a venue has free, and how far (ms) the nearest of it is from what is wanted. */
export type AvailableVenue = { availability: Availability; distance: number }

/** The bookable slots near a local time, the `count` nearest in time order; venues that have none are left out. */
export async function selectAvailableNear(
  db: Db,
  venues: readonly { id: string; timezone: string }[],
  { at, feePct, count, partySize, near }: NearQuery,
): Promise<Map<string, AvailableVenue>> {
  const wanted = venues.map(({ id, timezone }) => {
    const time = toInstantPastGap(timezone, near.local).getTime()
    const from = new Date(Math.max(time - near.beforeMs, at.getTime()))
    return { id, timezone, time, period: { at, from, until: new Date(time + near.afterMs) } }
  })
  const all = {
    from: new Date(Math.min(...wanted.map(({ period }) => period.from.getTime()))),
    until: new Date(Math.max(...wanted.map(({ period }) => period.until.getTime()))),
  }
  const offers = await selectPartyOfferings(
    db,
    venues.map(({ id }) => id),
    all,
    partySize,
  )
  const lists = wanted.map(({ id, time, period }) => {
    const candidates = candidatesOf(offers.get(id) ?? [], period, Number.POSITIVE_INFINITY)
    const distance = ({ slot }: Candidate) => Math.abs(slot.startsAt.getTime() - time)
    return [id, candidates.toSorted((a, b) => distance(a) - distance(b))] as const
  })
  const bookable = await selectBookable(db, new Map(lists), count)
  return new Map(
    wanted.flatMap(({ id, timezone, time }) => {
      const found = bookable.get(id) ?? []
      const [nearest] = found
      if (!nearest) return []
      const slots = found
        .toSorted((a, b) => a.slot.startsAt.getTime() - b.slot.startsAt.getTime())
        .map((one) => presentSlot(one, feePct))
      const next_slot_time = slots[0]?.slot_time ?? null
      const availability = { as_of: at.toISOString(), timezone, next_slot_time, slots }
      return [[id, { availability, distance: Math.abs(nearest.slot.startsAt.getTime() - time) }]]
    }),
  )
}
