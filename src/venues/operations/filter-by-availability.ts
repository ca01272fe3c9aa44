import { z } from 'zod'
import { dateOrDay, dateSaid, refusePast } from '../../availability/operations/wanted-slot.ts'
import {
  type AvailableVenue,
  availableBy,
  type Near,
  type NearPlan,
  planNear,
} from '../../availability/store/available-near.ts'
import type { TakenInventory } from '../../availability/store/inventory-query.ts'
import {
  NEAR_MS,
  type NextSlotsPlan,
  nextSlotsBy,
  planNextSlots,
} from '../../availability/store/next-slots.ts'
import type { OfferedServices } from '../../availability/store/party-services.ts'
import { slotFeeFor } from '../../availability/store/present-slot.ts'
import type { VenueRow } from '../../availability/store/venues.ts'
import { DAY_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import { toInstantPastGap, toLocal } from '../../base/local-time.ts'
import { daysAheadOf } from '../../base/said-time.ts'
import type { Context } from '../../contract/operation.ts'
import type { FoundVenues } from '../search/find-venues.ts'
import type { RequestedTime } from '../search/requested-time.ts'
import { anyVisit, type RequestedVisit } from '../search/visit.ts'
import { SLOTS_IN_LIST } from './present-venues.ts'

/** Input that restricts a list to venues free for this party at this time. */
export const slotFields = {
  party_size: z
    .int32()
    .min(1)
    .optional()
    .describe('Only venues that are free for this many guests'),
  date: dateOrDay.optional().describe('Only venues that are free on this local date: YYYY-MM-DD'),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time as in 19:00')
    .optional()
    .describe('Only venues that are free within 90 minutes of this local time: HH:MM')
    .meta({ examples: ['19:00'] }),
}

/** The values of these filters. */
export type SlotFilters = {
  party_size?: number | undefined
  date?: string | undefined
  time?: string | undefined
}

export const hasSlotFilters = ({ party_size, date, time }: SlotFilters): boolean =>
  party_size !== undefined || date !== undefined || time !== undefined

/** The visit described in a query, with explicit filters overriding its words. */
export function explicitFilters(
  visit: RequestedVisit,
  { party_size, date, time }: SlotFilters,
): RequestedVisit {
  const ahead = date === undefined ? undefined : daysAheadOf(date)
  const [year = 0, month = 0, day = 0] = (date ?? '').split('-').map(Number)
  const [hour = 0, minute = 0] = (time ?? '').split(':').map(Number)
  const { unread } = visit
  const isKnown = ({ about }: (typeof unread)[number]) =>
    (date !== undefined && about !== 'time') || (time !== undefined && about !== 'date')
  return {
    ...visit,
    unread: unread.filter((one) => !isKnown(one)),
    ...(party_size !== undefined && { partySize: party_size, party: anyVisit.party }),
    ...(date !== undefined && {
      otherDays: [],
      day:
        ahead === undefined
          ? ({ is: 'date', year, month, day } as const)
          : ({ is: 'ahead', days: ahead, isFixed: true } as const),
    }),
    ...(time !== undefined && {
      clock: { from: { hour, minute, half: 'exact' }, until: null, is: 'at' } as const,
    }),
  }
}

/** The wanted local time and its tolerance; null without date and time. Refuses past times. */
export function nearOf(
  { date, time, from, until, isExact }: RequestedTime,
  filters: SlotFilters,
  { timezone, at }: { timezone: string; at: Date },
): Near | null {
  if (filters.date !== undefined)
    refusePast(dateSaid(filters.date, { timezone, at }), { timezone, at })
  if (date === null) return null
  if (time === null) return { local: `${date}T00:00:00`, beforeMs: 0, afterMs: DAY_MS - 1 }
  const local = `${date}T${time}:00`
  const last = toInstantPastGap(timezone, local).getTime() + NEAR_MS
  if (filters.date !== undefined && last < at.getTime()) {
    const now = toLocal(timezone, at)
    throw refuse('slot_in_past', `${local} is over: in ${timezone} it is ${now}.`, { timezone })
  }
  if (from && until) return { local, beforeMs: 0, afterMs: until.getTime() - from.getTime() }
  return { local, beforeMs: isExact ? NEAR_MS : 0, afterMs: NEAR_MS }
}

/** The venues of a block, as if the query itself had stated the filters. */
export const withFilters = (search: FoundVenues, filters: SlotFilters): FoundVenues => ({
  ...search,
  understood: { ...search.understood, visit: explicitFilters(search.understood.visit, filters) },
})

export type AvailabilityPlan = NextSlotsPlan | NearPlan

/** Plans the slots near a time or, without a time, the next slots; reuses `earlier` while valid. */
export function planAvailability(
  { db, at }: Context,
  venues: readonly VenueRow[],
  services: OfferedServices,
  { partySize, near }: { partySize: number | null; near: Near | null },
  earlier?: AvailabilityPlan,
): Promise<AvailabilityPlan> {
  const request = { at, ...(partySize !== null && { partySize }) }
  const [nearBefore, nextBefore] =
    earlier && 'complete' in earlier ? [undefined, earlier] : [earlier, undefined]
  return near && venues.length > 0
    ? planNear(db, venues, services, { ...request, near }, nearBefore)
    : planNextSlots(db, venues, services, { ...request, count: SLOTS_IN_LIST }, nextBefore)
}

/** The venues of a plan that are available given the taken inventory, with their slots. */
export async function evaluateAvailability(
  ctx: Context,
  plan: AvailabilityPlan,
  inventory: TakenInventory,
): Promise<{ result: Map<string, AvailableVenue> } | { wider: AvailabilityPlan }> {
  const { db, at } = ctx
  const fee = slotFeeFor(ctx)
  if (!('complete' in plan))
    return { result: availableBy(plan, inventory, { ...fee, count: SLOTS_IN_LIST }) }
  const slots = await nextSlotsBy(db, plan, inventory, fee)
  if ('wider' in slots) return slots
  const available = [...slots.result].flatMap(([id, next]) => {
    const [first] = next.slots
    if (!first) return []
    const distance = Date.parse(first.starts_at) - at.getTime()
    return [[id, { availability: next, distance }] as const]
  })
  return { result: new Map(available) }
}
