import { toInstantPastGap } from '../../base/local-time.ts'
import type { Db } from '../../platform/database/sql.ts'
import { bookableSlots, holds, planSlots, renewed, type TimedSlotPlan } from './bookable-slots.ts'
import { type CandidateSlot, candidatesHoldUntil, candidatesOf } from './candidate-slots.ts'
import type { TakenInventory } from './inventory-query.ts'
import type { NextSlots } from './next-slots.ts'
import { type OfferedServices, offeredTo } from './party-services.ts'
import { presentSlot, type SlotFee } from './present-slot.ts'

/** A local time at each venue, and the tolerance on either side of it (ms). */
export type Near = { local: string; beforeMs: number; afterMs: number }

/** A venue's free slots, and how far (ms) the nearest is from the wanted time. */
export type AvailableVenue = { availability: NextSlots; distance: number }

type WantedAt = { id: string; timezone: string; time: number }

/** Everything that determines the slots of venues near a time, except taken inventory. */
export type NearPlan = TimedSlotPlan & {
  venues: readonly WantedAt[]
  services: OfferedServices
  request: NearRequest
}

type NearRequest = { at: Date; partySize?: number; near: Near }

/** Lists each venue's candidates, nearest first; reuses the plan `before` while it is valid. */
export async function planNear(
  db: Db,
  venues: readonly { id: string; timezone: string }[],
  services: OfferedServices,
  request: NearRequest,
  before?: NearPlan,
): Promise<NearPlan> {
  const { at, partySize, near } = request
  const isSame =
    before?.services === services &&
    before.request.partySize === partySize &&
    before.request.near.local === near.local
  if (isSame && holds(before, at)) return renewed(db, before, at)
  const targets = venues.map(({ id, timezone }) => {
    const time = toInstantPastGap(timezone, near.local).getTime()
    return { id, timezone, time }
  })
  const offered = offeredTo(services, partySize)
  const candidates = new Map<string, CandidateSlot[]>()
  let holdsUntil = Number.POSITIVE_INFINITY
  for (const { id, time } of targets) {
    const from = new Date(Math.max(time - near.beforeMs, at.getTime()))
    const period = { at, from, until: new Date(time + near.afterMs) }
    const distance = ({ slot }: CandidateSlot) => Math.abs(slot.startsAt.getTime() - time)
    const own = offered.get(id) ?? []
    const slots = candidatesOf(own, period).sort((a, b) => distance(a) - distance(b))
    candidates.set(id, slots)
    holdsUntil = Math.min(holdsUntil, candidatesHoldUntil(own, period, slots))
  }
  return {
    ...(await planSlots(db, candidates)),
    venues: targets,
    services,
    request,
    at,
    holdsUntil,
  }
}

/** The `count` nearest free slots of each venue, by time; leaves out venues without any. */
export function availableBy(
  plan: NearPlan,
  inventory: TakenInventory,
  { count, ...fee }: SlotFee & { count: number },
): Map<string, AvailableVenue> {
  const bookable = bookableSlots(plan, inventory, count)
  return new Map(
    plan.venues.flatMap(({ id, timezone, time }) => {
      const nearestFirst = bookable.get(id) ?? []
      const [nearest] = nearestFirst
      if (!nearest) return []
      const slots = nearestFirst
        .toSorted((a, b) => a.slot.startsAt.getTime() - b.slot.startsAt.getTime())
        .map((one) => presentSlot(one, fee))
      const next_slot_time = slots[0]?.slot_time ?? null
      const availability = { timezone, next_slot_time, slots }
      const distance = Math.abs(nearest.slot.startsAt.getTime() - time)
      return [[id, { availability, distance }]]
    }),
  )
}
