import type { Availability } from '../../contract/public.ts'
import type { Db } from '../../platform/database/sql.ts'
import { bookableSlots, planSlots, type SlotPlan } from './bookable-slots.ts'
import { candidatesOf, lastCallOf } from './candidate-slots.ts'
import { readInventory, type TakenInventory } from './inventory-query.ts'
import { type PartyOffering, selectPartyOfferings } from './party-offerings.ts'
import { presentSlot } from './present-slot.ts'

const DAY_MS = 86_400_000
/** How far ahead the next bookable slots are looked for. */
const LOOK_AHEAD_DAYS = 7
/** Slots looked at for each one wanted, before the whole of the look-ahead is. */
const OVERSAMPLE = 4

/** The next `count` bookable slots from `from` (by default, now); by default, for a party of two. */
export type NextSlotsRequest = { at: Date; count: number; partySize?: number; from?: Date }

/** The availability of a venue without the time at which it was read. */
export type NextSlots = Omit<Availability, 'as_of'>

type VenueAt = { id: string; timezone: string }

/** Everything about the next slots of venues that is known before it is read what is taken. */
export type NextSlotsPlan = SlotPlan & {
  venues: readonly VenueAt[]
  offerings: ReadonlyMap<string, readonly PartyOffering[]>
  period: { at: Date; from: Date; until: Date }
  count: number
  /** venues of which every slot of the look-ahead is a candidate */
  complete: ReadonlySet<string>
  /** The plan holds until then (milliseconds): later, a candidate is too near to be booked. */
  lastCall: number
}

/** Reads the rules of venues and lists the first candidates of each. */
export async function planNextSlots(
  db: Db,
  venues: readonly VenueAt[],
  { at, count, partySize, from = at }: NextSlotsRequest,
): Promise<NextSlotsPlan> {
  const period = { at, from, until: new Date(from.getTime() + LOOK_AHEAD_DAYS * DAY_MS) }
  const ids = venues.map(({ id }) => id)
  const offerings = await selectPartyOfferings(db, ids, period, partySize)
  const candidates = new Map(
    [...offerings].map(([id, own]) => [id, candidatesOf(own, period, count * OVERSAMPLE)]),
  )
  const lastCall = lastCallOf([...candidates.values()].flat())
  const complete = new Set<string>()
  const plan = await planSlots(db, candidates)
  return { ...plan, venues, offerings, period, count, complete, lastCall }
}

/**
 * The next slots of every venue of the plan; or, where so much is taken that some venues need more
 * candidates, the plan to ask again with.
 */
export async function nextSlotsBy(
  db: Db,
  plan: NextSlotsPlan,
  taken: TakenInventory,
  feePct: number,
): Promise<{ slots: Map<string, NextSlots> } | { wider: NextSlotsPlan }> {
  const { venues, offerings, period, count, complete, candidates } = plan
  const bookable = bookableSlots(plan, taken, count)
  const short = [...candidates].flatMap(([id, { length }]) => {
    const isShort = (bookable.get(id)?.length ?? 0) < count && length === count * OVERSAMPLE
    return isShort && !complete.has(id) ? [id] : []
  })
  if (short.length > 0) {
    const all = short.map((id) => [id, candidatesOf(offerings.get(id) ?? [], period)] as const)
    const wider = await planSlots(db, new Map([...candidates, ...all]))
    return { wider: { ...plan, ...wider, complete: new Set([...complete, ...short]) } }
  }
  const slots = new Map(
    venues.map(({ id, timezone }) => {
      const slots = (bookable.get(id) ?? []).map((one) => presentSlot(one, feePct))
      return [id, { timezone, next_slot_time: slots[0]?.slot_time ?? null, slots }]
    }),
  )
  return { slots }
}

/** The next slots of every venue of the plan, given what is taken now. */
export async function nextSlotsNow(
  db: Db,
  plan: NextSlotsPlan,
  feePct: number,
): Promise<Map<string, NextSlots>> {
  const next = await nextSlotsBy(db, plan, await readInventory(db, plan.inventory), feePct)
  return 'slots' in next ? next.slots : nextSlotsNow(db, next.wider, feePct)
}

/** The next slots of venues, with an entry for each of them. */
export const selectNextSlots = async (
  db: Db,
  venues: readonly VenueAt[],
  { feePct, ...request }: NextSlotsRequest & { feePct: number },
): Promise<Map<string, NextSlots>> =>
  nextSlotsNow(db, await planNextSlots(db, venues, request), feePct)
