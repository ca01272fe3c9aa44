import { addDays, dateOf } from '../../base/local-time.ts'
import type { OpeningWindow, Requirement, Rules, Strategy } from './rules.ts'
import { isLeading, type Lead } from './sessions.ts'
import {
  durationFor,
  type OfferedSlot,
  type OpeningHours,
  type SlotQuery,
  sessionsOn,
  slotAt,
  timesOn,
} from './slots.ts'
import { type CombinableGroup, countCombinations } from './table-combinations.ts'

/** Equal resources; those with the same `joins` can be combined. */
export type ResourceGroup = {
  kind: string
  party_min: number
  party_max: number
  joins?: string | undefined
  name?: string | undefined
  /** when they can be booked; by default, whenever the service is open */
  hours?: readonly OpeningWindow[] | undefined
  days_off?: readonly string[] | undefined
  leads?: readonly Lead[] | undefined
  ids: readonly string[]
}

/** An occupied resource, in milliseconds since the epoch; `until` is exclusive. */
type TakenResource = { resource_id: string; from: number; until: number }

/** The places of a pooled slot that has been booked at least once. */
type SlotCounter = { starts_at: number; cap: number; used: number }

/** A service's inventory, and the part of it that is taken. */
export type Inventory =
  | (Occupied & { strategy: 'exclusive'; timezone: string })
  | (Occupied & { strategy: 'pooled'; counters: readonly SlotCounter[] })
  | { strategy: 'on_request' }
type Occupied = { resources: readonly ResourceGroup[]; taken: readonly TakenResource[] }

/**
 * What a slot still offers a party: places, or units of the scarcest required kind of resource,
 * including combinations. `remaining` is null if the venue decides.
 */
export type Free = { fits: boolean; remaining: number | null; total: number }

type CountedFree = Free & { remaining: number }
const NOTHING: CountedFree = { fits: false, remaining: 0, total: 0 }

/** What is left of a slot for a party of this size. */
export function freeFor(
  rules: Rules,
  inventory: Inventory,
  slot: OfferedSlot,
  partySize: number,
): Free {
  if (inventory.strategy === 'on_request') return { fits: true, remaining: null, total: 0 }
  const overlapping = inventory.taken.filter(
    ({ from, until }) => from < slot.occupiedUntil.getTime() && slot.startsAt.getTime() < until,
  )
  const taken = new Set(overlapping.map(({ resource_id }) => resource_id))
  if (inventory.strategy === 'pooled') {
    const startsAt = slot.startsAt.getTime()
    const counter = inventory.counters.find(({ starts_at }) => starts_at === startsAt)
    const { places, leaderIds } = placesOf({ rules, resources: inventory.resources }, slot)
    if (leaderIds.some((id) => taken.has(id))) return NOTHING
    const total = Math.min(places, counter?.cap ?? places)
    const remaining = Math.max(total - (counter?.used ?? 0), 0)
    return { fits: partySize <= remaining, remaining, total }
  }
  const resources = workingAt(inventory, slot)
  const [first = NOTHING, ...rest] = rules.requires.map((requirement) =>
    freeOfKind(resources, taken, requirement, partySize),
  )
  return rest.reduce(scarcest, first)
}

/** The places of a pooled slot; none on its leader's day off. */
export function placesOf(
  { rules, resources }: { rules: Rules; resources: readonly ResourceGroup[] },
  { session, slotTime }: OfferedSlot,
): { places: number; leaderIds: readonly string[] } {
  const leader = session?.with && resources.find(({ name }) => name === session.with)
  if (!leader) return { places: session?.places ?? rules.places, leaderIds: [] }
  const isOff = leader.days_off?.includes(dateOf(slotTime))
  return { places: isOff ? 0 : session.places, leaderIds: leader.ids }
}

type Staffed = { timezone: string; resources: readonly ResourceGroup[] }

/** The resources whose own hours, days off and sessions allow a slot. */
export const workingAt = ({ timezone, resources }: Staffed, slot: OfferedSlot) =>
  resources.filter((one) => !(one.hours || one.days_off || one.leads) || works(one, timezone, slot))

function works(
  { hours, days_off = [], leads = [] }: ResourceGroup,
  timezone: string,
  slot: OfferedSlot,
): boolean {
  const { slotTime, endsAt } = slot
  if (isLeading(leads, timezone, slot)) return false
  const date = dateOf(slotTime)
  if (!hours) return !days_off.includes(date)
  const closed = days_off.map((off) => ({ date: off, windows: [], reason: '' }))
  const own = { rules: { windows: hours }, exceptions: closed, timezone }
  return [addDays(date, -1), date]
    .flatMap((day) => sessionsOn(own, day))
    .some(({ opens, staysUntil }) => opens <= slotTime && endsAt <= staysUntil)
}

/**
 * Why the person wished for, or the session's leader, is absent at a slot even if nothing is
 * booked: `Ayu is not there`.
 */
export function absence(
  service: Staffed & { rules: Rules },
  slot: OfferedSlot,
): string | undefined {
  const { timezone, resources, rules } = service
  if (slot.session) return placesOf(service, slot).places > 0 ? undefined : away(slot.session.with)
  const wished = rules.requires.find((one) => one.wished)?.wished
  const leader = resources.find(({ ids }) => wished !== undefined && ids.includes(wished))
  if (!leader || works(leader, timezone, slot)) return undefined
  return isLeading(leader.leads ?? [], timezone, slot)
    ? `${leader.name} leads a session`
    : away(leader.name)
}
const away = (name = '') => `${name} is not there`

export type Capacity = { rules: Rules; strategy: Strategy; resources: readonly ResourceGroup[] }

/** Whether an empty service could take a party of this size. */
export function couldTake({ rules, strategy, resources }: Capacity, partySize: number): boolean {
  if (partySize < rules.party_min || partySize > rules.party_max) return false
  if (strategy === 'on_request') return true
  if (strategy === 'pooled') return partySize <= rules.places || isSoldOut({ rules, strategy })
  return rules.requires.every((one) => freeOfKind(resources, NONE, one, partySize).fits)
}

/** How many guests a service has places for at a time; 0 if the venue decides. */
export function placesIn({ rules, strategy, resources }: Capacity): number {
  if (strategy !== 'exclusive') return strategy === 'pooled' ? rules.places : 0
  const isPerGuest = rules.requires.some(({ per }) => per === 'guest')
  return resources.reduce((sum, one) => sum + one.ids.length * (isPerGuest ? 1 : one.party_max), 0)
}

/** A service without any place is full, not too small. */
const isSoldOut = ({ rules, strategy }: Pick<Capacity, 'rules' | 'strategy'>): boolean =>
  strategy === 'pooled' && rules.places === 0

/** Whether a party could have a slot if nothing else were booked, or it is sold out for all. */
export const couldHave = (
  service: Capacity & { timezone: string },
  slot: OfferedSlot,
  partySize: number,
): boolean =>
  couldTake(service, partySize) &&
  (isSoldOut(service) || freeFor(service.rules, emptyOf(service), slot, partySize).fits)

/** The slots of a local date that a venue without bookings could give a party, in order. */
export const possibleSlots = <S extends Capacity & OpeningHours>(
  services: readonly S[],
  { date, partySize }: { date: string; partySize: number },
): { service: S; slot: OfferedSlot }[] =>
  services
    .flatMap((service) => {
      const { rules, exceptions, timezone } = service
      return timesOn({ rules, exceptions, timezone, partySize, date })
        .filter((slot) => couldHave(service, slot, partySize))
        .map((slot) => ({ service, slot }))
    })
    .sort((one, other) => one.slot.startsAt.getTime() - other.slot.startsAt.getTime())

/** A service's inventory without bookings. */
export function emptyOf(service: Capacity & { timezone: string }): Inventory {
  const { strategy, resources, timezone } = service
  if (strategy === 'on_request') return { strategy }
  const taken = { resources, taken: [] }
  return strategy === 'pooled'
    ? { ...taken, strategy, counters: [] }
    : { ...taken, strategy, timezone }
}

const NONE: ReadonlySet<string> = new Set()

function freeOfKind(
  resources: readonly ResourceGroup[],
  taken: ReadonlySet<string>,
  { kind, per, max_joined = 1, wished }: Requirement,
  partySize: number,
): CountedFree {
  const [size, needed] = per === 'guest' ? [1, partySize] : [partySize, 1]
  const isWished = ({ ids }: ResourceGroup) => wished !== undefined && ids.includes(wished)
  const leftOf = ({ ids }: ResourceGroup) =>
    taken.size === 0 ? ids.length : ids.filter((id) => !taken.has(id)).length
  const own = resources.filter((one) => one.kind === kind)
  const fitting = own.filter(({ party_min, party_max }) => party_min <= size && size <= party_max)
  if (wished !== undefined && (taken.has(wished) || !fitting.some(isWished))) return NOTHING
  let [total, remaining] = [0, 0]
  for (const one of fitting) {
    if (wished !== undefined && needed === 1 && !isWished(one)) continue
    total += one.ids.length
    remaining += leftOf(one)
  }
  if (per === 'guest' || max_joined < 2) return { fits: needed <= remaining, remaining, total }
  const joinable = (countOf: (one: ResourceGroup) => number): CombinableGroup[] =>
    own.flatMap((one) =>
      one.joins && one.party_max < size
        ? [{ joins: one.joins, party_max: one.party_max, count: countOf(one) }]
        : [],
    )
  const all = joinable(({ ids }) => ids.length)
  if (all.length === 0) return { fits: needed <= remaining, remaining, total }
  const free = remaining + countCombinations(joinable(leftOf), size, max_joined)
  return {
    fits: needed <= free,
    remaining: free,
    total: total + countCombinations(all, size, max_joined),
  }
}

const scarcest = (one: CountedFree, other: CountedFree): CountedFree => ({
  ...(other.remaining < one.remaining ? other : one),
  fits: one.fits && other.fits,
})

/** The unit of `remaining`: a place, or the required kinds of resource (the scarcest counts). */
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
