import type { Requirement, Rules, Strategy } from './rules.ts'
import { durationFor, type OfferedSlot, type SlotQuery, slotAt } from './slots.ts'
import { type CombinableGroup, countCombinations } from './table-combinations.ts'

/** `count` equal resources; those with the same `joins` can be combined. */
type ResourceGroup = {
  kind: string
  party_min: number
  party_max: number
  joins?: string | null | undefined
  count: number
}

/** An occupied resource, in milliseconds since the epoch; `until` is exclusive. */
type TakenResource = Omit<ResourceGroup, 'count'> & {
  resource_id: string
  from: number
  until: number
}

/** The places of a pooled slot that has been booked at least once. */
type SlotCounter = { starts_at: number; cap: number; used: number }

/** A service's inventory, and what is taken of it. */
export type Inventory =
  | { strategy: 'exclusive'; resources: readonly ResourceGroup[]; taken: readonly TakenResource[] }
  | { strategy: 'pooled'; counters: readonly SlotCounter[] }
  | { strategy: 'on_request' }

/**
 * What a slot still offers a party: places, or units of the scarcest required kind of resource,
 * including combinations. `remaining` is null if the venue decides.
 */
export type Free = { fits: boolean; remaining: number | null; total: number }

type CountedFree = Free & { remaining: number }
const NOTHING: CountedFree = { fits: false, remaining: 0, total: 0 }

/** What existing bookings leave of a slot for a party of this size. */
export function freeFor(
  rules: Rules,
  inventory: Inventory,
  slot: OfferedSlot,
  partySize: number,
): Free {
  if (inventory.strategy === 'on_request') return { fits: true, remaining: null, total: 0 }
  if (inventory.strategy === 'pooled') {
    const startsAt = slot.startsAt.getTime()
    const counter = inventory.counters.find(({ starts_at }) => starts_at === startsAt)
    const total = Math.min(rules.places, counter?.cap ?? rules.places)
    const remaining = Math.max(total - (counter?.used ?? 0), 0)
    return { fits: partySize <= remaining, remaining, total }
  }
  const { resources } = inventory
  const overlapping = inventory.taken.filter(
    ({ from, until }) => from < slot.occupiedUntil.getTime() && slot.startsAt.getTime() < until,
  )
  const [first = NOTHING, ...rest] = rules.requires.map((requirement) =>
    freeOfKind(resources, overlapping, requirement, partySize),
  )
  return rest.reduce(scarcest, first)
}

type Capacity = { rules: Rules; strategy: Strategy; resources: readonly ResourceGroup[] }

/** Whether an empty service could take a party of this size. */
export function couldTake({ rules, strategy, resources }: Capacity, partySize: number): boolean {
  if (partySize < rules.party_min || partySize > rules.party_max) return false
  if (strategy === 'on_request') return true
  if (strategy === 'pooled') return partySize <= rules.places
  return rules.requires.every((one) => freeOfKind(resources, [], one, partySize).fits)
}

function freeOfKind(
  resources: readonly ResourceGroup[],
  allocations: readonly TakenResource[],
  { kind, per, max_joined = 1 }: Requirement,
  partySize: number,
): CountedFree {
  const [size, needed] = per === 'guest' ? [1, partySize] : [partySize, 1]
  const suits = (one: Omit<ResourceGroup, 'count'>) =>
    one.kind === kind && one.party_min <= size && size <= one.party_max
  const total = resources.filter(suits).reduce((sum, { count }) => sum + count, 0)
  const remaining =
    total - new Set(allocations.filter(suits).map(({ resource_id }) => resource_id)).size
  if (per === 'guest' || max_joined < 2) return { fits: needed <= remaining, remaining, total }
  const joinable = resources.flatMap(({ kind: its, joins, party_max, count }) =>
    its === kind && joins && party_max < size ? [{ joins, party_max, count }] : [],
  )
  if (joinable.length === 0) return { fits: needed <= remaining, remaining, total }
  const free = remaining + countCombinations(freeOf(joinable, kind, allocations), size, max_joined)
  return {
    fits: needed <= free,
    remaining: free,
    total: total + countCombinations(joinable, size, max_joined),
  }
}

/** What these groups have left; counts each taken resource only once. */
function freeOf(
  groups: readonly CombinableGroup[],
  kind: string,
  allocations: readonly TakenResource[],
): CombinableGroup[] {
  const allocated = new Map(allocations.map((one) => [one.resource_id, one]))
  const keyOf = (one: Pick<ResourceGroup, 'joins' | 'party_max'>) => `${one.party_max} ${one.joins}`
  const goneOf = new Map<string, number>()
  for (const one of allocated.values()) {
    if (one.kind === kind) goneOf.set(keyOf(one), (goneOf.get(keyOf(one)) ?? 0) + 1)
  }
  return groups.map((group) => {
    const count = goneOf.get(keyOf(group)) ?? 0
    const here = Math.min(count, group.count)
    goneOf.set(keyOf(group), count - here)
    return { ...group, count: group.count - here }
  })
}

const scarcest = (one: CountedFree, other: CountedFree): CountedFree => ({
  ...(other.remaining < one.remaining ? other : one),
  fits: one.fits && other.fits,
})

/** The unit of `remaining`: a place, or the required kinds, the scarcest of which it counts. */
export function unitOf({ rules, strategy }: Omit<Capacity, 'resources'>): string | null {
  if (strategy === 'on_request') return null
  return strategy === 'pooled' ? 'place' : rules.requires.map(({ kind }) => kind).join(' or ')
}

/** `limited`: at most two or at most a fifth are left. */
export function statusOf({ fits, remaining, total }: Free) {
  if (!fits) return 'unavailable'
  if (remaining === null) return 'available'
  return remaining <= 2 || remaining * 5 <= total ? 'limited' : 'available'
}

/** The smallest and largest parties that could have this slot now; the given party must fit. */
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

/** The party sizes that could still have a slot, if the given size cannot. */
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

/** Whether a party of another size, with its own length of stay, could book this slot's time. */
function fitsIn(query: SlotQuery, inventory: Inventory, slot: OfferedSlot) {
  const { rules, partySize } = query
  const usual = durationFor(rules, partySize)
  return (size: number): boolean => {
    const same = durationFor(rules, size) === usual
    const theirs = same ? slot : slotAt({ ...query, partySize: size }, slot.slotTime)
    return theirs !== undefined && freeFor(rules, inventory, theirs, size).fits
  }
}
