import type { Requirement, Rules, Strategy } from './rules.ts'
import { durationFor, type OfferedSlot, type SlotQuery, slotAt } from './slots.ts'

/** So many resources of a kind that each take a party from `party_min` to `party_max`. */
export type ResourceGroup = { kind: string; party_min: number; party_max: number; count: number }

/** A resource that a booking occupies, in milliseconds since the epoch, `until` excluded. */
export type TakenResource = Omit<ResourceGroup, 'count'> & {
  resource_id: string
  from: number
  until: number
}

/** Places of a pooled slot that have been asked for at least once. */
export type SlotCounter = { starts_at: number; cap: number; used: number }

/** What an offering has and what is taken of it: enough to say what is left of a slot. */
export type Inventory =
  | { strategy: 'exclusive'; resources: readonly ResourceGroup[]; taken: readonly TakenResource[] }
  | { strategy: 'pooled'; counters: readonly SlotCounter[] }
  | { strategy: 'on_request' }

/** What is left of a slot for a party: places, or the scarcest kind of resource that it needs. */
export type Free = { fits: boolean; left: number; total: number }

const NOTHING: Free = { fits: false, left: 0, total: 0 }

/** What bookings leave of a slot for a party of this size. */
export function freeFor(
  rules: Rules,
  inventory: Inventory,
  slot: OfferedSlot,
  partySize: number,
): Free {
  if (inventory.strategy === 'on_request') return NOTHING
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
  if (strategy === 'on_request') return false
  if (strategy === 'pooled') return partySize <= rules.places
  return rules.requires.every((one) => freeOfKind(resources, [], one, partySize).fits)
}

function freeOfKind(
  resources: readonly ResourceGroup[],
  taken: readonly TakenResource[],
  { kind, per }: Requirement,
  partySize: number,
): Free {
  const [size, needed] = per === 'guest' ? [1, partySize] : [partySize, 1]
  const suits = (one: Omit<ResourceGroup, 'count'>) =>
    one.kind === kind && one.party_min <= size && size <= one.party_max
  const total = resources.filter(suits).reduce((sum, { count }) => sum + count, 0)
  const left = total - new Set(taken.filter(suits).map(({ resource_id }) => resource_id)).size
  return { fits: needed <= left, left, total }
}

const scarcest = (one: Free, other: Free): Free => ({
  ...(other.left < one.left ? other : one),
  fits: one.fits && other.fits,
})

/** `limited`: at most two left, or at most a fifth. */
export function statusOf({ fits, left, total }: Free): 'available' | 'limited' | 'unavailable' {
  if (!fits) return 'unavailable'
  return left <= 2 || left * 5 <= total ? 'limited' : 'available'
}

/** The smallest and the largest party that could have this slot now, given that this party can. */
export function partyRange(
  query: SlotQuery,
  inventory: Inventory,
  slot: OfferedSlot,
): { party_min: number; party_max: number } {
  const { rules, partySize } = query
  const usual = durationFor(rules, partySize)
  const fits = (size: number) => {
    const same = durationFor(rules, size) === usual
    const theirs = same ? slot : slotAt({ ...query, partySize: size }, slot.slotTime)
    return theirs !== undefined && freeFor(rules, inventory, theirs, size).fits
  }
  let { party_min, party_max } = rules
  while (party_min < partySize && !fits(party_min)) party_min += 1
  while (party_max > partySize && !fits(party_max)) party_max -= 1
  return { party_min, party_max }
}
