import { dateOf } from '../../contract/rules/slot-time.ts'
import { type Basis, createOfSameBasis } from '../../platform/database/same-basis.ts'
import type { Db } from '../../platform/database/sql.ts'
import { type Free, freeFor, type Inventory, partyRange } from '../rules/capacity.ts'
import { isFreeAtVenue, type MirrorSlot } from '../rules/mirror.ts'
import { type OfferedSlot, offeredSlots } from '../rules/slots.ts'
import { type InventoryQuery, inventoryQueriesOf } from './inventory-query.ts'
import { type Mirror, mirrorKey, selectMirror } from './mirror.ts'
import { selectInventories } from './occupancy.ts'
import type { Offering } from './offerings.ts'
import type { PartyOffering } from './party-offerings.ts'

/** A slot that the rules allow; inventory has not been asked. */
export type Candidate = PartyOffering & { slot: OfferedSlot }

/** A slot that this party can book now. */
export type BookableSlot = Candidate & { free: Free; range: PartyRange }

export type PartyRange = ReturnType<typeof partyRange>

/** The slots of a venue's offerings that begin in a period, in time order, the first `limit` of them. */
export function candidatesOf(
  offers: readonly PartyOffering[],
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
): Promise<Map<string, readonly BookableSlot[]>> {
  const reach = [...lists.values()].flatMap(inventoryQueriesOf)
  const [inventoryOf, mirror] = await Promise.all([
    selectInventories(db, reach),
    selectMirrorOf(db, reach),
  ])
  return new Map(
    [...lists].map(([key, list]) => {
      const basis = [count, ...basisOf(inventoryQueriesOf(list), inventoryOf, mirror)]
      return [key, ofSameBasis(list, basis, () => bookableOf(list, inventoryOf, mirror, count))]
    }),
  )
}

const ofSameBasis = createOfSameBasis<readonly Candidate[], readonly BookableSlot[]>()

/** All that judging candidates looks at, besides the candidates themselves. */
export const basisOf = (
  reach: readonly InventoryQuery[],
  inventoryOf: (offering: Offering) => Inventory,
  mirror: Mirror,
): Basis =>
  reach.flatMap(({ offering, dates }) => [
    rowsOf(inventoryOf(offering)),
    ...dates.map((date) => mirror.get(mirrorKey(offering.venue_id, date))),
  ])

function rowsOf(inventory: Inventory): readonly object[] {
  if (inventory.strategy === 'exclusive') return inventory.taken
  return inventory.strategy === 'pooled' ? inventory.counters : []
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
export async function selectMirrorOf(db: Db, reach: readonly InventoryQuery[]): Promise<Mirror> {
  const mirrored = reach.filter(({ dates }) => dates.length > 0)
  const dates = mirrored.flatMap(({ dates }) => dates).sort()
  const [from, to] = [dates[0], dates.at(-1)]
  if (!from || !to) return new Map()
  const venues = new Set(mirrored.map(({ offering }) => offering.venue_id))
  return selectMirror(db, [...venues], { from, to })
}
