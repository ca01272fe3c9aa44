import { dateOf } from '../../contract/rules/local-time.ts'
import type { Db } from '../../platform/database/sql.ts'
import { type Free, freeFor, type Inventory, partyRange } from '../rules/capacity.ts'
import { isFreeAtVenue, type MirrorSlot } from '../rules/mirror.ts'
import type { CandidateSlot } from './candidate-slots.ts'
import {
  type InventoryQuery,
  inventoryQueryOf,
  readInventory,
  type TakenInventory,
} from './inventory-query.ts'
import { type Mirror, mirrorKey, selectMirror } from './mirror.ts'
import type { Offering } from './offerings.ts'

/** A slot that this party can book now. */
export type BookableSlot = CandidateSlot & { free: Free; range: PartyRange }

export type PartyRange = ReturnType<typeof partyRange>

/** Candidates by venue, and all that decides which of them can be booked but for what is taken. */
export type SlotPlan = {
  candidates: ReadonlyMap<string, readonly CandidateSlot[]>
  inventory: InventoryQuery
  mirror: Mirror
}

/** A plan of slots, and the last instant (milliseconds) at which its candidates are all of them. */
export type TimedSlotPlan = SlotPlan & { at: Date; holdsUntil: number }

/** A plan whose candidates are the same now, with what venues with a system of their own say now. */
export async function renewed<P extends TimedSlotPlan>(db: Db, plan: P, at: Date): Promise<P> {
  const mirror = await selectMirrorOf(db, [...plan.candidates.values()].flat())
  return { ...plan, at, mirror }
}

/** Whether the candidates of a plan are those of now. */
export const holds = ({ at, holdsUntil }: TimedSlotPlan, now: Date): boolean =>
  at <= now && now.getTime() <= holdsUntil

/** Prepares judging these candidates, as often as `readInventory` is asked what is taken of them. */
export async function planSlots(
  db: Db,
  candidates: ReadonlyMap<string, readonly CandidateSlot[]>,
): Promise<SlotPlan> {
  const all = [...candidates.values()].flat()
  return { candidates, inventory: inventoryQueryOf(all), mirror: await selectMirrorOf(db, all) }
}

/**
 * The candidates that bookings leave room for, up to `count` per venue, in the order of its list. Where
 * two offerings have the same time, the first one gets it.
 */
export const bookableSlots = (
  { candidates, mirror }: SlotPlan,
  taken: TakenInventory,
  count: number,
): Map<string, BookableSlot[]> =>
  new Map([...candidates].map(([id, list]) => [id, bookableOf(list, taken, mirror, count)]))

/**
 * What `judge` makes of a plan, given what is taken now; `judge` may return a plan with more candidates
 * to ask again with.
 */
export async function judged<P extends SlotPlan, R>(
  db: Db,
  plan: P,
  judge: (plan: P, taken: TakenInventory) => Promise<{ result: R } | { wider: P }>,
): Promise<R> {
  const found = await judge(plan, await readInventory(db, plan.inventory))
  return 'wider' in found ? judged(db, found.wider, judge) : found.result
}

/** Those of the candidates that can be booked now. */
export async function selectBookable(
  db: Db,
  candidates: ReadonlyMap<string, readonly CandidateSlot[]>,
  count: number,
): Promise<Map<string, BookableSlot[]>> {
  const plan = await planSlots(db, candidates)
  return bookableSlots(plan, await readInventory(db, plan.inventory), count)
}

function bookableOf(
  candidates: readonly CandidateSlot[],
  taken: TakenInventory,
  mirror: Mirror,
  count: number,
): BookableSlot[] {
  const bookable = new Map<string, BookableSlot>()
  for (const candidate of candidates) {
    if (bookable.size === count) break
    const { offering, query, slot } = candidate
    if (bookable.has(slot.slotTime)) continue
    const inventory = taken.of(offering)
    const { free, own } = freeOf(candidate, inventory, mirror)
    if (!free.fits) continue
    const range = narrowed(partyRange(query, inventory, slot), own)
    bookable.set(slot.slotTime, { ...candidate, free, range })
  }
  return [...bookable.values()]
}

/** What bookings, and the venue's own system (`own`) where it has one, leave of a slot for its party. */
export function freeOf(
  { offering, query, slot }: CandidateSlot,
  inventory: Inventory,
  mirror: Mirror,
): { free: Free; own: MirrorSlot | undefined } {
  const day = mirror.get(mirrorKey(offering.venue_id, dateOf(slot.slotTime))) ?? null
  const own = day?.get(slot.slotTime)
  const free = lessened(freeFor(offering.rules, inventory, slot, query.partySize), offering, own)
  if (isFreeAtVenue(day, slot.slotTime, query.partySize)) return { free, own }
  return { free: { ...free, fits: false, left: own ? free.left : 0 }, own }
}

/** No more seats than the venue's own system counts; it counts guests, not tables or rooms. */
const lessened = (free: Free, { strategy }: Offering, own: MirrorSlot | undefined): Free =>
  strategy !== 'exclusive' && own?.places_left != null
    ? { ...free, left: Math.min(free.left ?? own.places_left, own.places_left) }
    : free

/** The party sizes that both the network and the venue's own system can take. */
export const narrowed = (range: PartyRange, own: MirrorSlot | undefined): PartyRange =>
  own
    ? {
        party_min: Math.max(range.party_min, own.party_min),
        party_max: Math.min(range.party_max, own.party_max, own.places_left ?? own.party_max),
      }
    : range

/** What the venues that have a system of their own say of the dates of these candidates. */
async function selectMirrorOf(db: Db, candidates: readonly CandidateSlot[]): Promise<Mirror> {
  const mirrored = candidates.filter(({ offering }) => offering.confirm_mode === 'http')
  const dates = mirrored.map(({ slot }) => dateOf(slot.slotTime)).sort()
  const [from, to] = [dates[0], dates.at(-1)]
  if (!from || !to) return new Map()
  const venueIds = new Set(mirrored.map(({ offering }) => offering.venue_id))
  return selectMirror(db, [...venueIds], { from, to })
}
