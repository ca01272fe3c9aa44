import {
  couldTake,
  emptyOf,
  freeFor,
  placesIn,
  possibleSlots,
} from '../../availability/rules/capacity.ts'
import { dayOf, placeAmong } from '../../availability/rules/evaluate-slot.ts'
import { partyLimits } from '../../availability/rules/party-limits.ts'
import { exceptionOn, noticeOf, type OfferedSlot, timesOn } from '../../availability/rules/slots.ts'
import { NEAR_MS } from '../../availability/store/next-slots.ts'
import { type OfferedServices, partyServicesOf } from '../../availability/store/party-services.ts'
import { choosable, type VenueService } from '../../availability/store/venue-services.ts'
import type { VenueRow } from '../../availability/store/venues.ts'
import { toInstantPastGap, toLocal } from '../../base/local-time.ts'
import type { Slot } from '../../contract/public.ts'
import { hasSlotNear, lastWanted } from '../search/arrange.ts'
import type { BareVenue } from './as-asked.ts'

/** The requested party, day and time; null if not given. `isExact`: a time, not a part of a day. */
export type WantedVisit = {
  partySize: number | null
  date: string | null
  time: string | null
  /** the end of a part of the day or another span of time */
  until?: Date
  isExact?: boolean
}

/** What parties a venue takes, if not the requested one. */
type Limits = { party_min: number; party_max: number; split: 'here' | 'elsewhere' | null }
/** What to say about a venue's slots; `isMissed` if none of them is as requested. */
export type Missed = { note: string; isMissed: boolean; limits?: Limits }

/** The services of venues, and which venues have only some of them requested. */
type OfVenues = { services: OfferedServices; asked?: ReadonlyMap<string, unknown> }

type VenueSlots = {
  timezone: string
  /** whether `services` contains only the requested ones */
  isPart?: boolean | undefined
  services: readonly VenueService[] | undefined
  slots: readonly Slot[]
}

/** What to say about a venue's slots if none is at the requested time; null if one is. */
export function missedVisit(
  { timezone, isPart = false, services = [], slots }: VenueSlots,
  { partySize, date, time, isExact = false, ...span }: WantedVisit,
  at: Date,
): Missed | null {
  const bookable = choosable(services)
  const limits = partyLimits(bookable)
  if (!limits) return explain('Takes no bookings here at present.')
  const [first] = partyServicesOf(bookable, partySize ?? undefined)
  if (!first) {
    const { party_min, party_max } = limits
    const note = `Takes parties of ${party_min} to ${party_max}, not ${partySize}.`
    const split = splitOf(bookable, Math.ceil((partySize ?? 0) / 2), date)
    return { ...explain(note), limits: { party_min, party_max, split } }
  }
  if (date === null) return slots.length > 0 ? null : explain('Nothing is free in the next 7 days.')
  const size = first.query.partySize
  if (!hasSlotNear({ timezone, slots }, { date, time, ...span })) {
    const day = { date, time, ...span, isExact, size, isPart, timezone, slots }
    return explain(reasonOf(bookable, day, at))
  }
  const wanted = `${date}T${time}:00`
  const isNear = (one: Slot) => hasSlotNear({ timezone, slots: [one] }, { date, time })
  const isLater = slots.filter(isNear).map(({ slot_time }) => slot_time >= wanted)
  if (!isExact || (isLater.includes(true) && isLater.includes(false))) return null
  const possible = possibleSlots(bookable, { date, partySize: size })
  const outside = outsideTimes(possible, wanted, !isLater[0])
  if (!outside) return null
  return { note: `No time at ${time} on ${date}: ${outside}.`, isMissed: false }
}

/** Whether a venue could take both halves of a party at once, or only one, that day. */
function splitOf(services: readonly VenueService[], half: number, date: string | null) {
  const able = services.filter((one) => couldTake(one, half))
  if (date === null) {
    if (able.some((one) => placesIn(one) >= half * 2)) return 'here'
    return able.length > 0 ? 'elsewhere' : null
  }
  const slots = possibleSlots(able, { date, partySize: half })
  const takesBoth = ({ service, slot }: (typeof slots)[number]) =>
    placesIn(service) >= half * 2 &&
    Number(freeFor(service.rules, emptyOf(service), slot, half).remaining) > 1
  if (slots.some(takesBoth)) return 'here'
  return slots.length > 0 ? 'elsewhere' : null
}

/** The first or, if `isAfter`, the last time of a day, in words, if all are after or before. */
function outsideTimes(
  all: readonly { slot: OfferedSlot }[],
  wanted: string,
  isAfter = true,
): string | undefined {
  const times = all.map(({ slot }) => slot.slotTime)
  const isPast = isAfter && times.every((one) => one < wanted)
  const isOutside = isPast || times.every((one) => one > wanted)
  return times.length > 0 && isOutside ? placeAmong(times, wanted) : undefined
}

const explain = (note: string): Missed => ({ note, isMissed: true })

type Day = {
  date: string
  time: string | null
  until?: Date
  isExact: boolean
  size: number
  isPart: boolean
  timezone: string
  slots: readonly Slot[]
}

function reasonOf(
  services: readonly VenueService[],
  { date, time, until, isExact, size, isPart, timezone, slots }: Day,
  at: Date,
): string {
  const all = possibleSlots(services, { date, partySize: size })
  if (all.length === 0) return nothingOn(services, { date, isPart, size })
  const of = (edge: 'earliest' | 'latest') => (one: (typeof all)[number]) =>
    noticeOf(one.service.rules, at)[edge]
  const startOf = ({ slot }: (typeof all)[number]) => slot.startsAt.getTime()
  const isBeyond = (one: (typeof all)[number]) => startOf(one) > of('latest')(one)
  if (all.every(isBeyond)) return beyondHorizon(services, date)
  const wanted = `${date}T${time ?? '00:00'}:00`
  const wantedAt = toInstantPastGap(timezone, wanted).getTime()
  const earliest = isExact ? wantedAt - NEAR_MS : wantedAt
  const isNear = (ms: number) => earliest <= ms && ms <= lastWanted(wantedAt, until)
  const near = time ? all.filter((one) => isNear(startOf(one))) : all
  const last = until && toLocal(timezone, until).slice(11, 16)
  const whenever = last ? `between ${time} and ${last}` : time && `near ${time}`
  const when = [whenever, `on ${date}`].filter(Boolean).join(' ')
  if (near.length === 0) {
    const times = all.map(({ slot }) => slot.slotTime)
    const where = freeAmong(times, slots, wanted)
    return `No times ${when}${where && `: ${where}`}.`
  }
  const outside = time && outsideTimes(all, wanted)
  const why = outside ? `${when}: ${outside}` : when
  const later = near.filter((one) => startOf(one) >= of('earliest')(one))
  if (later.length === 0) return `Too late to book ${why}.`
  return later.every(isBeyond) ? beyondHorizon(services, date) : `Full ${why}.`
}

/** Where a time is among those of a day; between two of them, only free ones are named. */
function freeAmong(times: readonly string[], slots: readonly Slot[], wanted: string): string {
  if (times.every((one) => one > wanted) || times.every((one) => one < wanted)) {
    return placeAmong(times, wanted)
  }
  const free = slots.flatMap((one) => (times.includes(one.slot_time) ? [one.slot_time] : []))
  const near = [free.findLast((one) => one < wanted), free.find((one) => one > wanted)]
  const [first, second] = near.flatMap((one) => one?.slice(11, 16) ?? [])
  if (second) return `the nearest free times are ${first} and ${second}`
  return first ? `the nearest free time is ${first}` : ''
}

function nothingOn(
  services: readonly VenueService[],
  { date, isPart, size }: Pick<Day, 'date' | 'isPart' | 'size'>,
): string {
  const isOpen = services.some((one) => timesOn({ ...one, partySize: size, date }).length > 0)
  const [reason] = services.flatMap((one) => exceptionOn(one, date)?.reason ?? [])
  if (isOpen || isPart) return `No times on ${dayOf(date)}.`
  return `Closed on ${dayOf(date)}${reason ? `: ${reason.replace(/\.$/, '')}` : ''}.`
}

const beyondHorizon = (services: readonly VenueService[], date: string): string => {
  const days = Math.max(...services.map(({ rules }) => rules.horizon_days))
  return `Takes bookings ${days} days ahead, not yet for ${date}.`
}

type Seen = readonly (Missed | null)[]

/** The hint that no venue takes the party; null if one does. */
export function partyHint(missed: Seen, { partySize }: WantedVisit, isAll: boolean) {
  const limits = missed.flatMap((one) => one?.limits ?? [])
  if (missed.length === 0 || limits.length < missed.length) return null
  const largest = Math.max(...limits.map(({ party_max }) => party_max))
  const smallest = Math.min(...limits.map(({ party_min }) => party_min))
  const venues = isAll ? 'Venues match, but none' : `Of the ${missed.length} best matches, none`
  const what = `${venues} takes a party of ${partySize}`
  if ((partySize ?? 0) < smallest) return `${what}: the smallest takes ${smallest}.`
  const isHere = limits.some(({ split }) => split === 'here')
  const isPossible = isHere || limits.filter(({ split }) => split !== null).length > 1
  const where = isHere ? 'at the same time' : 'at two of these venues at the same time'
  const ask = ` Ask your user whether two bookings of half the size, ${where}, will do.`
  return `${what}: the largest takes ${largest}.${isPossible ? ask : ''}`
}

/** The hint that none of the listed venues is free as requested; null if one is. */
export function missedHint(missed: Seen, { date, time, until }: WantedVisit): string | null {
  if (missed.length === 0 || missed.some((one) => !one?.isMissed)) return null
  const near = until ? 'in the time from' : 'near'
  const when = [time && `${near} ${time}`, date && `on ${date}`].filter(Boolean).join(' ')
  return when ? `None of these venues is free ${when}: \`availability.note\` says why.` : null
}

/** A venue that is free near the requested time, with a note if it is not free at that time. */
export function withNote(
  venue: BareVenue,
  { asked, services }: OfVenues,
  wanted: WantedVisit,
  at: Date,
): BareVenue {
  const { id, timezone, availability } = venue
  const { slots } = availability
  const own = { timezone, slots, isPart: asked?.has(id), services: services.byVenue.get(id) }
  const note = missedVisit(own, wanted, at)?.note ?? null
  return { ...venue, availability: { ...availability, note } }
}

/** Why venues without free slots near the requested time have none. */
export const missedAll = (
  venues: readonly VenueRow[],
  { services }: OfVenues,
  wanted: WantedVisit,
  at: Date,
) =>
  venues.map(({ id, name, timezone }) => {
    const own = { timezone, slots: [], services: services.byVenue.get(id) }
    return { name, missed: missedVisit(own, wanted, at) }
  })

/** The hint that none of all venues that match is free as requested. */
export function noneFree(
  all: ReturnType<typeof missedAll>,
  wanted: WantedVisit,
  isAll: boolean,
): string {
  const [first] = all
  if (!first) return 'The network has no such venues there.'
  const missed = all.map((one) => one.missed)
  const example = first.missed ? ` ${first.name}: ${first.missed.note}` : ''
  return partyHint(missed, wanted, isAll) ?? `${NONE_FREE}${example}`
}

const NONE_FREE =
  'Venues match, but none of them is free for that party then. Try another date or time, or ' +
  'remove a filter.'
