import { dateOf } from '../../base/local-time.ts'
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
import type { VenueService } from './venue-services.ts'

export type BookableSlot = CandidateSlot & { free: Free; range: PartyRange }

export type PartyRange = ReturnType<typeof partyRange>

/** Candidates by venue, the inventory query for them, and the reports of venues' own systems. */
export type SlotPlan = {
  candidates: ReadonlyMap<string, readonly CandidateSlot[]>
  inventory: InventoryQuery
  mirror: Mirror
}

/** `holdsUntil`: the last instant (ms) at which the candidates are complete. */
export type TimedSlotPlan = SlotPlan & { at: Date; holdsUntil: number }

/** The same plan with up-to-date reports from venues' own systems. */
export async function renewed<P extends TimedSlotPlan>(db: Db, plan: P, at: Date): Promise<P> {
  const mirror = await selectMirrorOf(db, [...plan.candidates.values()].flat())
  return { ...plan, at, mirror }
}

/** Whether the candidates of a plan are still complete. */
export const holds = ({ at, holdsUntil }: TimedSlotPlan, now: Date): boolean =>
  at <= now && now.getTime() <= holdsUntil

export async function planSlots(
  db: Db,
  candidates: ReadonlyMap<string, readonly CandidateSlot[]>,
): Promise<SlotPlan> {
  const all = [...candidates.values()].flat()
  return { candidates, inventory: inventoryQueryOf(all), mirror: await selectMirrorOf(db, all) }
}

/** Up to `count` free candidates per venue, in order. The first service wins a shared time. */
export const bookableSlots = (
  { candidates, mirror }: SlotPlan,
  inventory: TakenInventory,
  count: number,
): Map<string, BookableSlot[]> =>
  new Map([...candidates].map(([id, list]) => [id, bookableOf(list, inventory, mirror, count)]))

/** Evaluates a plan against the inventory, and again if `judge` returns a wider plan. */
export async function evaluated<P extends SlotPlan, R>(
  db: Db,
  plan: P,
  judge: (plan: P, inventory: TakenInventory) => Promise<{ result: R } | { wider: P }>,
): Promise<R> {
  const outcome = await judge(plan, await readInventory(db, plan.inventory))
  return 'wider' in outcome ? evaluated(db, outcome.wider, judge) : outcome.result
}

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
  usage: TakenInventory,
  mirror: Mirror,
  count: number,
): BookableSlot[] {
  const bookable = new Map<string, BookableSlot>()
  for (const candidate of candidates) {
    if (bookable.size === count) break
    const { service, query, slot } = candidate
    if (bookable.has(slot.slotTime)) continue
    const inventory = usage.of(service)
    const { free, own } = freeOf(candidate, inventory, mirror)
    if (!free.fits) continue
    const range = narrowed(partyRange(query, inventory, slot), own)
    bookable.set(slot.slotTime, { ...candidate, free, range })
  }
  return [...bookable.values()]
}

/** What is left of a slot after bookings and, if it has one, the venue's own system (`own`). */
export function freeOf(
  { service, query, slot }: CandidateSlot,
  inventory: Inventory,
  mirror: Mirror,
): { free: Free; own: MirrorSlot | undefined } {
  const day = mirror.get(mirrorKey(service.venue_id, dateOf(slot.slotTime))) ?? null
  const own = day?.get(slot.slotTime)
  const free = lessened(freeFor(service.rules, inventory, slot, query.partySize), service, own)
  if (isFreeAtVenue(day, slot.slotTime, query.partySize)) return { free, own }
  return { free: { ...free, fits: false, remaining: own ? free.remaining : 0 }, own }
}

/** Limits to the places in the venue's own system if it counts guests, not tables or rooms. */
const lessened = (free: Free, { strategy }: VenueService, own: MirrorSlot | undefined): Free =>
  strategy !== 'exclusive' && own?.places_left != null
    ? { ...free, remaining: Math.min(free.remaining ?? own.places_left, own.places_left) }
    : free

/** The party sizes that both the network and the venue's own system can take. */
export const narrowed = (range: PartyRange, own: MirrorSlot | undefined): PartyRange =>
  own
    ? {
        party_min: Math.max(range.party_min, own.party_min),
        party_max: Math.min(range.party_max, own.party_max, own.places_left ?? own.party_max),
      }
    : range

async function selectMirrorOf(db: Db, candidates: readonly CandidateSlot[]): Promise<Mirror> {
  const mirrored = candidates.filter(({ service }) => service.confirm_mode === 'http')
  const dates = mirrored.map(({ slot }) => dateOf(slot.slotTime)).sort()
  const [from, to] = [dates[0], dates.at(-1)]
  if (!from || !to) return new Map()
  const venueIds = new Set(mirrored.map(({ service }) => service.venue_id))
  return selectMirror(db, [...venueIds], { from, to })
}
