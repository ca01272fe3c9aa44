import type { Requirement, Rules, Strategy } from './rules.ts'
import { durationFor, type OfferedSlot, type SlotQuery, slotAt } from './slots.ts'
import { type CombinableGroup, countCombinations } from './table-combinations.ts'

/** So many resources of a kind that each take a party from `party_min` to `party_max`; `joins` names those that can be joined. */
type ResourceGroup = {
  kind: string
  party_min: number
  party_max: number
  joins?: string | null | undefined
  count: number
}

/** A resource that a booking occupies, in milliseconds since the epoch, `until` excluded. */
type TakenResource = Omit<ResourceGroup, 'count'> & {
  resource_id: string
  from: number
  until: number
}

/** Places of a pooled slot that have been asked for at least once. */
type SlotCounter = { starts_at: number; cap: number; used: number }

/** What an offering has and what is taken of it: enough to say what is left of a slot. */
export type Inventory =
  | { strategy: 'exclusive'; resources: readonly ResourceGroup[]; taken: readonly TakenResource[] }
  | { strategy: 'pooled'; counters: readonly SlotCounter[] }
  | { strategy: 'on_request' }

/**
 * What is left of a slot for a party: places, or the scarcest kind of resource that it needs, sets of joined ones included. `left` is
 * null where nothing is counted, as the venue decides.
 */
export type Free = { fits: boolean; left: number | null; total: number }

type Counted = Free & { left: number }
const NOTHING: Counted = { fits: false, left: 0, total: 0 }

/** What bookings leave of a slot for a party of this size. */
export function freeFor(
  rules: Rules,
  inventory: Inventory,
  slot: OfferedSlot,
  partySize: number,
): Free {
  if (inventory.strategy === 'on_request') return { fits: true, left: null, total: 0 }
  if (inventory.strategy === 'pooled') {
    const counter = inventory.counters.find(
      ({ starts_at }) => starts_at === slot.startsAt.getTime(),
    )
    const total = Math.min(rules.places, counter?.cap ?? rules.places)
    const left = Math.max(total - (counter?.used ?? 0), 0)
    return { fits: partySize <= left, left, total }
  }
  const { resources } = inventory
  const taken = inventory.taken.filter(
    ({ from, until }) => from < slot.occupiedUntil.getTime() && slot.startsAt.getTime() < until,
  )
  const [first = NOTHING, ...rest] = rules.requires.map((requirement) =>
    freeOfKind(resources, taken, requirement, partySize),
  )
  return rest.reduce(scarcest, first)
}

/** What of an offering decides whether a party could ever have it, however little is booked. */
export type Capacity = { rules: Rules; strategy: Strategy; resources: readonly ResourceGroup[] }

/** Whether a party of this size could be taken at all. */
export function couldTake({ rules, strategy, resources }: Capacity, partySize: number): boolean {
  if (partySize < rules.party_min || partySize > rules.party_max) return false
  if (strategy === 'on_request') return true
  if (strategy === 'pooled') return partySize <= rules.places
  return rules.requires.every((one) => freeOfKind(resources, [], one, partySize).fits)
}

function freeOfKind(
  resources: readonly ResourceGroup[],
  taken: readonly TakenResource[],
  { kind, per, max_joined = 1 }: Requirement,
  partySize: number,
): Counted {
  const [size, needed] = per === 'guest' ? [1, partySize] : [partySize, 1]
  const suits = (one: Omit<ResourceGroup, 'count'>) =>
    one.kind === kind && one.party_min <= size && size <= one.party_max
  const total = resources.filter(suits).reduce((sum, { count }) => sum + count, 0)
  const left = total - new Set(taken.filter(suits).map(({ resource_id }) => resource_id)).size
  if (per === 'guest' || max_joined < 2) return { fits: needed <= left, left, total }
  const joinable = resources.flatMap(({ kind: its, joins, party_max, count }) =>
    its === kind && joins && party_max < size ? [{ joins, party_max, count }] : [],
  )
  if (joinable.length === 0) return { fits: needed <= left, left, total }
  const free = left + countCombinations(freeOf(joinable, kind, taken), size, max_joined)
  return {
    fits: needed <= free,
    left: free,
    total: total + countCombinations(joinable, size, max_joined),
  }
}

/** What is left of these groups, each resource counted once however often it is taken. */
function freeOf(
  groups: readonly CombinableGroup[],
  kind: string,
  taken: readonly TakenResource[],
): CombinableGroup[] {
  const gone = new Map(taken.map((one) => [one.resource_id, one]))
  const keyOf = (one: Pick<ResourceGroup, 'joins' | 'party_max'>) => `${one.party_max} ${one.joins}`
  const goneOf = new Map<string, number>()
  for (const one of gone.values()) {
    if (one.kind === kind) goneOf.set(keyOf(one), (goneOf.get(keyOf(one)) ?? 0) + 1)
  }
  return groups.map((group) => {
    const known = goneOf.get(keyOf(group)) ?? 0
    const here = Math.min(known, group.count)
    goneOf.set(keyOf(group), known - here)
    return { ...group, count: group.count - here }
  })
}

const scarcest = (one: Counted, other: Counted): Counted => ({
  ...(other.left < one.left ? other : one),
  fits: one.fits && other.fits,
})

/** `limited`: at most two left, or at most a fifth. */
export function statusOf({ fits, left, total }: Free): 'available' | 'limited' | 'unavailable' {
  if (!fits) return 'unavailable'
  if (left === null) return 'available'
  return left <= 2 || left * 5 <= total ? 'limited' : 'available'
}

/** The smallest and the largest party that could have this slot now, given that this party can. */
export function partyRange(
  query: SlotQuery,
  inventory: Inventory,
  slot: OfferedSlot,
): { party_min: number; party_max: number } {
  const fits = fitsIn(query, inventory, slot)
  let { party_min, party_max } = query.rules
  while (party_min < query.partySize && !fits(party_min)) party_min += 1
  while (party_max > query.partySize && !fits(party_max)) party_max -= 1
  return { party_min, party_max }
}

/** The same for a party that cannot have it: whom it could still take, or undefined when nobody. */
export function otherParties(
  query: SlotQuery,
  inventory: Inventory,
  slot: OfferedSlot,
): { party_min: number; party_max: number } | undefined {
  const fits = fitsIn(query, inventory, slot)
  let { party_min, party_max } = query.rules
  while (party_min <= party_max && !fits(party_min)) party_min += 1
  while (party_max > party_min && !fits(party_max)) party_max -= 1
  return party_min <= party_max ? { party_min, party_max } : undefined
}

/** Whether a party of another size could have this slot's time: it may stay longer or shorter. */
function fitsIn(query: SlotQuery, inventory: Inventory, slot: OfferedSlot) {
  const { rules, partySize } = query
  const usual = durationFor(rules, partySize)
  return (size: number): boolean => {
    const same = durationFor(rules, size) === usual
    const theirs = same ? slot : slotAt({ ...query, partySize: size }, slot.slotTime)
    return theirs !== undefined && freeFor(rules, inventory, theirs, size).fits
  }
}
