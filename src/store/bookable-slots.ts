import { type Free, freeFor, type Inventory, partyRange } from '../model/free-places.ts'
import { isFreeAtVenue, type MirrorSlot } from '../model/mirror.ts'
import { dateOf } from '../model/slot-time.ts'
import { type OfferedSlot, offeredSlots } from '../model/slots.ts'
import { type Mirror, mirrorKey, selectMirror } from './mirror.ts'
import { type Span, selectSlotCounters, selectTakenResources } from './occupancy.ts'
import type { Offering } from './offerings.ts'
import type { Offer } from './offers.ts'
import type { Db } from './sql.ts'

/** A slot that the rules allow; inventory has not been asked. */
export type Candidate = Offer & { slot: OfferedSlot }

/** A slot that this party can book now. */
export type BookableSlot = Candidate & { free: Free; range: PartyRange }

export type PartyRange = ReturnType<typeof partyRange>

/** The slots of a venue's offerings that begin in a period, in time order, the first `limit` of them. */
export function candidatesOf(
  offers: readonly Offer[],
  period: { at: Date; from: Date; until: Date },
  limit: number,
): Candidate[] {
  const each = offers.map((offer) =>
    offeredSlots({ ...offer.query, ...period })
      .take(limit)
      .map((slot) => ({ ...offer, slot }))
      .toArray(),
  )
  const [only = [], ...others] = each
  if (others.length === 0) return only
  const startOf = ({ slot }: Candidate) => slot.startsAt.getTime()
  return each
    .flat()
    .sort((a, b) => startOf(a) - startOf(b) || a.offering.position - b.offering.position)
    .slice(0, limit)
}

/**
 * The candidates that bookings leave room for, up to `count` per venue, in the order of its list. A time that two
 * offerings have goes to the one that comes first.
 */
export async function selectBookable(
  db: Db,
  lists: ReadonlyMap<string, readonly Candidate[]>,
  count: number,
): Promise<Map<string, BookableSlot[]>> {
  const candidates = [...lists.values()].flat()
  const [inventoryOf, mirror] = await Promise.all([
    selectInventories(db, candidates),
    selectMirrorOf(db, candidates),
  ])
  return new Map(
    [...lists].map(([key, list]) => [key, bookableOf(list, inventoryOf, mirror, count)]),
  )
}

function bookableOf(
  candidates: readonly Candidate[],
  inventoryOf: (offering: Offering) => Inventory,
  mirror: Mirror,
  count: number,
): BookableSlot[] {
  const bookable = new Map<string, BookableSlot>()
  for (const candidate of candidates) {
    if (bookable.size === count) break
    const { offering, query, slot } = candidate
    if (bookable.has(slot.slotTime)) continue
    const inventory = inventoryOf(offering)
    const { free, own } = freeOf(candidate, inventory, mirror)
    if (!free.fits) continue
    const range = narrowed(partyRange(query, inventory, slot), own)
    bookable.set(slot.slotTime, { ...candidate, free, range })
  }
  return [...bookable.values()]
}

/** What bookings, and the venue's own system (`own`) where it has one, leave of a candidate for its party. */
export function freeOf(
  { offering, query, slot }: Candidate,
  inventory: Inventory,
  mirror: Mirror,
): { free: Free; own: MirrorSlot | undefined } {
  const day = mirror.get(mirrorKey(offering.venue_id, dateOf(slot.slotTime))) ?? null
  const own = day?.get(slot.slotTime)
  const free = lessened(freeFor(offering.rules, inventory, slot, query.partySize), offering, own)
  if (isFreeAtVenue(day, slot.slotTime, query.partySize)) return { free, own }
  return { free: { ...free, fits: false, left: own ? free.left : 0 }, own }
}

/** No more places than the venue's own system counts; tables and rooms are not guests. */
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

/** What the venues with a system of their own say of the dates of these candidates. */
export async function selectMirrorOf(db: Db, candidates: readonly Candidate[]): Promise<Mirror> {
  const mirrored = candidates.filter(({ offering }) => offering.confirm_mode === 'http')
  const dates = mirrored.map(({ slot }) => dateOf(slot.slotTime)).sort()
  const [from, to] = [dates[0], dates.at(-1)]
  if (!from || !to) return new Map()
  const venues = new Set(mirrored.map(({ offering }) => offering.venue_id))
  return selectMirror(db, [...venues], { from, to })
}

/** What each offering has, and what bookings take of it while its candidates last. */
export async function selectInventories(
  db: Db,
  candidates: readonly Candidate[],
): Promise<(offering: Offering) => Inventory> {
  const groups = Map.groupBy(candidates, ({ offering }) => offering)
  const spansOf = (strategy: Offering['strategy']) =>
    [...groups].filter(([one]) => one.strategy === strategy).map(([one, of]) => spanOf(one, of))
  const [taken, counters] = await Promise.all([
    selectTakenResources(db, spansOf('exclusive')),
    selectSlotCounters(db, spansOf('pooled')),
  ])
  const takenOf = Map.groupBy(taken, ({ offering_id }) => offering_id)
  const countersOf = Map.groupBy(counters, ({ offering_id }) => offering_id)
  return ({ id, strategy, resources }) => {
    if (strategy === 'exclusive') return { strategy, resources, taken: takenOf.get(id) ?? [] }
    if (strategy === 'pooled') return { strategy, counters: countersOf.get(id) ?? [] }
    return { strategy }
  }
}

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
