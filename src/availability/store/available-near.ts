import type { Availability } from '../../contract/public.ts'
import { toInstantPastGap } from '../../contract/rules/local-time.ts'
import type { Db } from '../../platform/database/sql.ts'
import { bookableSlots, planSlots, type SlotPlan } from './bookable-slots.ts'
import { type CandidateSlot, candidatesOf, lastCallOf } from './candidate-slots.ts'
import type { TakenInventory } from './inventory-query.ts'
import { selectPartyOfferings } from './party-offerings.ts'
import { presentSlot } from './present-slot.ts'

/** A local time at each venue, and how long before and after it (ms) will do. */
export type Near = { local: string; beforeMs: number; afterMs: number }

/** What a venue has free, and how far (ms) the nearest of it is from the wanted time. */
export type AvailableVenue = { availability: Availability; distance: number }

type WantedAt = { id: string; timezone: string; time: number }

/** Everything about the slots of venues near a time that is known before it is read what is taken. */
export type NearPlan = SlotPlan & {
  venues: readonly WantedAt[]
  /** The plan holds until then (milliseconds): later, a candidate is too near to be booked. */
  lastCall: number
}

/** Reads the rules of venues and lists their candidates, those nearest to the wanted time first. */
export async function planNear(
  db: Db,
  venues: readonly { id: string; timezone: string }[],
  { at, partySize, near }: { at: Date; partySize?: number; near: Near },
): Promise<NearPlan> {
  const wanted = venues.map(({ id, timezone }) => {
    const time = toInstantPastGap(timezone, near.local).getTime()
    const from = new Date(Math.max(time - near.beforeMs, at.getTime()))
    return { id, timezone, time, period: { at, from, until: new Date(time + near.afterMs) } }
  })
  const whole = {
    from: new Date(Math.min(...wanted.map(({ period }) => period.from.getTime()))),
    until: new Date(Math.max(...wanted.map(({ period }) => period.until.getTime()))),
  }
  const ids = venues.map(({ id }) => id)
  const offerings = await selectPartyOfferings(db, ids, whole, partySize)
  const candidates = wanted.map(({ id, time, period }) => {
    const distance = ({ slot }: CandidateSlot) => Math.abs(slot.startsAt.getTime() - time)
    const own = candidatesOf(offerings.get(id) ?? [], period)
    return [id, own.sort((a, b) => distance(a) - distance(b))] as const
  })
  const lastCall = lastCallOf(candidates.flatMap(([, own]) => own))
  return { ...(await planSlots(db, new Map(candidates))), venues: wanted, lastCall }
}

/** The `count` nearest free slots of each venue, in time order; venues without any are left out. */
export function availableBy(
  plan: NearPlan,
  taken: TakenInventory,
  { at, feePct, count }: { at: Date; feePct: number; count: number },
): Map<string, AvailableVenue> {
  const bookable = bookableSlots(plan, taken, count)
  return new Map(
    plan.venues.flatMap(({ id, timezone, time }) => {
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
