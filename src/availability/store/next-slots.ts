import { DAY_MS, MINUTE_MS } from '../../base/durations.ts'
import { dateOf } from '../../base/local-time.ts'
import type { Availability } from '../../contract/public.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Wish } from '../rules/service-terms.ts'
import {
  bookableSlots,
  evaluated,
  holds,
  planSlots,
  renewed,
  selectBookable,
  type TimedSlotPlan,
} from './bookable-slots.ts'
import { type CandidateSlot, candidatesHoldUntil, candidatesOf } from './candidate-slots.ts'
import type { TakenInventory } from './inventory-query.ts'
import {
  type OfferedServices,
  offeredTo,
  type PartyService,
  partyServicesOf,
  readServices,
} from './party-services.ts'
import { presentSlot, type SlotFee } from './present-slot.ts'

const LOOK_AHEAD_DAYS = 7
/** Candidate times per wanted slot on the first attempt. */
const OVERSAMPLE = 4

/**
 * `from` defaults to now, and `partySize` to two. `day` is the local date of `from` if a visit at
 * that very time is wanted: the day's earlier slots then come before those of other days.
 */
export type NextSlotsRequest = {
  at: Date
  count: number
  partySize?: number
  from?: Date
  day?: string
}

export type NextSlots = Omit<Availability, 'as_of' | 'note'>

type VenueAt = { id: string; timezone: string }

/** The candidates of venues, before their inventory is read. */
export type NextSlotsPlan = TimedSlotPlan & {
  venues: readonly VenueAt[]
  services: OfferedServices
  request: NextSlotsRequest
  /** venues for which every slot in the look-ahead period is a candidate */
  complete: ReadonlySet<string>
  /** those for which every slot of the wanted day is one */
  wholeDay: ReadonlySet<string>
}

const periodOf = ({ at, from = at }: NextSlotsRequest) => ({
  at,
  from,
  until: new Date(from.getTime() + LOOK_AHEAD_DAYS * DAY_MS),
})

/** Lists each venue's first candidates; reuses those of the plan `before` if unchanged. */
export async function planNextSlots(
  db: Db,
  venues: readonly VenueAt[],
  services: OfferedServices,
  request: NextSlotsRequest,
  before?: NextSlotsPlan,
): Promise<NextSlotsPlan> {
  const isSame = before?.services === services && isSameRequest(before.request, request)
  if (isSame && holds(before, request.at)) return renewed(db, { ...before, venues }, request.at)
  const [period, limit] = [periodOf(request), request.count * OVERSAMPLE]
  const candidates = new Map<string, CandidateSlot[]>()
  const wholeDay = new Set<string>()
  let holdsUntil = Number.POSITIVE_INFINITY
  for (const [id, own] of offeredTo(services, request.partySize)) {
    const slots = candidatesOf(own, period, limit)
    const isShort = request.day !== undefined && countNear(slots, request) < request.count
    if (isShort) wholeDay.add(id)
    const all = isShort ? withEarlier(own, slots, request) : slots
    candidates.set(id, all)
    holdsUntil = Math.min(holdsUntil, candidatesHoldUntil(own, period, slots, limit))
  }
  const plan = await planSlots(db, candidates)
  const complete = new Set<string>()
  return { ...plan, venues, services, request, at: request.at, complete, wholeDay, holdsUntil }
}

/** Acceptable distance of a slot from the wanted time, either way. */
export const NEAR_MS = 90 * MINUTE_MS

const distanceTo = ({ at, from = at }: NextSlotsRequest, { slot }: CandidateSlot) =>
  slot.startsAt.getTime() - from.getTime()

const countNear = (slots: readonly CandidateSlot[], request: NextSlotsRequest): number =>
  slots.filter((one) => distanceTo(request, one) <= NEAR_MS).length

/**
 * Adds the earlier slots of the wanted day. Sorts: those soon after the wanted time, those shortly
 * before it, the rest of the day by distance, then other days.
 */
function withEarlier(
  own: readonly PartyService[],
  later: readonly CandidateSlot[],
  request: NextSlotsRequest,
): CandidateSlot[] {
  const { day, at, from = at } = request
  const until = new Date(from.getTime() - 1)
  const period = { at, from: new Date(from.getTime() - DAY_MS), until }
  const keyOf = (one: CandidateSlot): [group: number, order: number] => {
    const distance = distanceTo(request, one)
    if (Math.abs(distance) <= NEAR_MS) return [distance < 0 ? 1 : 0, Math.abs(distance)]
    return dateOf(one.slot.slotTime) === day ? [2, Math.abs(distance)] : [3, distance]
  }
  const earlier = candidatesOf(own, period).filter((one) => keyOf(one)[0] < 3)
  return [...later, ...earlier]
    .map((one) => ({ one, key: keyOf(one) }))
    .sort((a, b) => a.key[0] - b.key[0] || a.key[1] - b.key[1])
    .map(({ one }) => one)
}

/** Whether two requests are equal; all that begin now count as beginning at the same time. */
const isSameRequest = (one: NextSlotsRequest, other: NextSlotsRequest): boolean =>
  one.count === other.count &&
  one.partySize === other.partySize &&
  one.day === other.day &&
  startOf(one) === startOf(other)
const startOf = ({ at, from = at }: NextSlotsRequest) => (from > at ? from.getTime() : 'now')

/**
 * The next slots of every venue in the plan, or a wider plan if so many slots are taken that some
 * venues need more candidates.
 */
export async function nextSlotsBy(
  db: Db,
  plan: NextSlotsPlan,
  inventory: TakenInventory,
  fee: SlotFee,
): Promise<{ result: Map<string, NextSlots> } | { wider: NextSlotsPlan }> {
  const { venues, candidates, complete, wholeDay, request } = plan
  const { count, day } = request
  const bookable = bookableSlots(plan, inventory, count)
  const short = [...candidates].flatMap(([id, { length }]) => {
    const free = bookable.get(id) ?? []
    const ofDay = free.filter(({ slot }) => dateOf(slot.slotTime) === day).length
    const isFew = ofDay < count || countNear(free, request) === 0
    const isDayShort = day !== undefined && isFew && !wholeDay.has(id)
    const isShort = isDayShort || (free.length < count && length >= count * OVERSAMPLE)
    return isShort && !complete.has(id) ? [id] : []
  })
  if (short.length > 0) return { wider: await widened(db, plan, short) }
  const result = new Map(
    venues.map(({ id, timezone }) => {
      const inOrder = (bookable.get(id) ?? []).toSorted(
        (one, other) => +one.slot.startsAt - +other.slot.startsAt,
      )
      const slots = inOrder.map((one) => presentSlot(one, fee))
      return [id, { timezone, next_slot_time: slots[0]?.slot_time ?? null, slots }]
    }),
  )
  return { result }
}

/** The plan widened to every slot of these venues. */
async function widened(db: Db, plan: NextSlotsPlan, ids: string[]): Promise<NextSlotsPlan> {
  const { services, request, at } = plan
  const period = { ...periodOf({ ...request, at }), at }
  const candidates = new Map(plan.candidates)
  let { holdsUntil } = plan
  const offered = offeredTo(services, request.partySize)
  for (const id of ids) {
    const own = offered.get(id) ?? []
    const slots = candidatesOf(own, period)
    candidates.set(id, request.day ? withEarlier(own, slots, request) : slots)
    holdsUntil = Math.min(holdsUntil, candidatesHoldUntil(own, period, slots))
  }
  const complete = new Set([...plan.complete, ...ids])
  return { ...plan, ...(await planSlots(db, candidates)), complete, holdsUntil }
}

/** The first free times that fit a wish at a venue, within a week of `from`. */
export async function selectNextTimes(
  db: Db,
  venueId: string,
  { wish, ...request }: NextSlotsRequest & { wish: Wish },
): Promise<string[]> {
  const { partySize, count } = request
  const period = periodOf(request)
  const services = (await readServices(db, [venueId], period)).byVenue.get(venueId) ?? []
  const candidates = candidatesOf(partyServicesOf(services, partySize, wish), period)
  const free = await selectBookable(db, new Map([[venueId, candidates]]), count)
  return (free.get(venueId) ?? []).map(({ slot }) => slot.slotTime)
}

type SlotsRequest = NextSlotsRequest & SlotFee

/** The next slots of venues, with an entry for each venue. */
export const selectNextSlots = async (db: Db, venues: readonly VenueAt[], request: SlotsRequest) =>
  (await selectSlotsAndServices(db, venues, request)).slots

/** The next slots of venues, with an entry for each, and the venues' services. */
export async function selectSlotsAndServices(
  db: Db,
  venues: readonly VenueAt[],
  { feePct, isTest = false, ...request }: SlotsRequest,
): Promise<{ slots: Map<string, NextSlots>; services: OfferedServices }> {
  const ids = venues.map(({ id }) => id)
  const services = await readServices(db, ids, periodOf(request))
  const plan = await planNextSlots(db, venues, services, request)
  const slots = await evaluated(db, plan, (slots, inventory) =>
    nextSlotsBy(db, slots, inventory, { feePct, isTest }),
  )
  return { slots, services }
}
