import { type RefusalData, refusalData } from '../../base/errors.ts'
import { clockOn, dateOf, toInstantPastGap } from '../../base/local-time.ts'
import type { Db } from '../../platform/database/sql.ts'
import {
  absence,
  couldHave,
  emptyOf,
  otherParties,
  placesOf,
  possibleSlots,
  workingAt,
} from '../rules/capacity.ts'
import { type DayTimes, dayOf, evaluateSlot, placeAmong } from '../rules/evaluate-slot.ts'
import { isFreeAtVenue } from '../rules/mirror.ts'
import { outsideLimits, partyRefusal } from '../rules/party-limits.ts'
import { leadersOf, lengthsByParty, type Wish, wished } from '../rules/service-terms.ts'
import { isCalled } from '../rules/sessions.ts'
import type { OfferedSlot } from '../rules/slots.ts'
import { selectBookable } from '../store/bookable-slots.ts'
import { allocate, type InventoryClaim, takeSeats } from '../store/inventory.ts'
import { selectMirrorDay } from '../store/mirror.ts'
import { selectNextTimes } from '../store/next-slots.ts'
import { serviceNotOffered } from '../store/present-services.ts'
import { choosable, selectServicesAt, type VenueService } from '../store/venue-services.ts'

/** A service whose rules allow a slot, although the slot may be taken. */
export type Choice = { service: VenueService; slot: OfferedSlot }
/** Choices in booking order; if there are none, there may be a refusal. */
export type Evaluation = { choices: Choice[]; refusal?: RefusalData | undefined }

/** `slotTime` is local to the venue, without offset. */
type SlotWish = Wish & { venueId: string; slotTime: string; partySize: number }
export type PartyRequest = SlotWish & { venueName: string; timezone: string }

/**
 * Services that the rules and the venue's own system allow, or the most specific refusal. Ignores
 * that system for slots overlapping the stay to be changed (`own`), which it counts as taken.
 */
export async function evaluateServices(
  db: Db,
  request: SlotWish,
  at: Date,
  own?: { starts_at: string; ends_at: string | null },
): Promise<Evaluation> {
  const { venueId, slotTime, partySize } = request
  const all = await selectServicesAt(db, venueId, slotTime)
  // Services are withdrawn, never deleted.
  if (all.length === 0) return { choices: [], refusal: refusalData('venue_removed') }
  const bookable = choosable(all)
  if (bookable.length === 0) return refusedAs(refusalData('venue_closed', NO_BOOKINGS))
  const services = wished(bookable, request)
  const unfit = wrongLength(bookable, request) ?? partyRefusal(services, partySize)
  if (unfit) return refusedAs(unfit)
  const day = () => dayTimes(services, request, services.length < bookable.length)
  const evaluate = (some: readonly VenueService[]) =>
    some.map((service) => {
      const { rules, timezone, exceptions } = service
      const slot = { rules, exceptions, timezone, slotTime, partySize, at }
      return { service, ...evaluateSlot(slot, day) }
    })
  const results = evaluate(services)
  const allowed = results.filter((one) => 'slot' in one)
  if (allowed.length === 0) {
    // Another session, or one that somebody else leads, is then: `explainUnavailable` says which.
    const { session, leaderId, ...rest } = request
    const isPart = session !== undefined || leaderId !== undefined
    const isOther = isPart && evaluate(wished(bookable, rest)).some((one) => 'slot' in one)
    return isOther ? { choices: [] } : refusedAs(mostSpecificRefusal(results))
  }
  // Somebody who was wished for and is absent is explained by `explainUnavailable`.
  const isPossible = ({ service, slot }: Choice) =>
    couldHave(service, slot, partySize) || absence(service, slot) !== undefined
  if (!allowed.some(isPossible)) return refusedAs(impossibleRefusal(allowed, request, day()))
  const overlapsOwn = allowed.some(({ slot }) => own && overlaps(slot, own))
  return { choices: overlapsOwn || (await isFree(db, request, services)) ? allowed : [] }
}

const NO_BOOKINGS = 'The venue takes no bookings here at present.'
const refusedAs = (refusal: RefusalData | undefined): Evaluation => ({ choices: [], refusal })

/** The times of the requested day that an empty venue could give the party. */
function dayTimes(
  services: readonly VenueService[],
  { slotTime, partySize }: SlotWish,
  isPart: boolean,
): DayTimes {
  const slots = possibleSlots(services, { date: dateOf(slotTime), partySize })
  return { times: slots.map(({ slot }) => slot.slotTime), isPart }
}

/** Refuses a time at which the party could not come even if nothing were booked. */
function impossibleRefusal(
  choices: readonly Choice[],
  { partySize, slotTime }: SlotWish,
  { times }: DayTimes,
): RefusalData | undefined {
  const when = ` at ${slotTime} (${choices[0]?.service.timezone})`
  const [range] = choices.flatMap(({ service, slot }) => {
    const { rules, exceptions, timezone } = service
    return otherParties({ rules, exceptions, timezone, partySize }, emptyOf(service), slot) ?? []
  })
  const among =
    times.length > 0 ? ` On ${dayOf(dateOf(slotTime))} ${placeAmong(times, slotTime)}.` : ''
  const closed = () => refusalData('venue_closed', `Nothing can be booked${when}.${among}`)
  return (range && outsideLimits(range, partySize, when)) ?? closed()
}

/** Refuses a length that the service does not have, or does not have for a party of this size. */
export function wrongLength(
  all: readonly VenueService[],
  { partySize, ...wish }: Wish & { partySize: number },
): RefusalData | undefined {
  const { minutes, keptMinutes, ...rest } = wish
  if (rest.serviceId !== undefined && !all.some(({ id }) => id === rest.serviceId))
    return serviceNotOffered(all, 'The venue no longer offers that service.')
  const own = wished(all, rest)
  const fitting = wished(all, wish)
  const [first] = own
  if (first && fitting.length === 0) {
    const length = minutes ?? keptMinutes
    return serviceNotOffered(own, `${first.name} is no longer offered for ${length} minutes.`)
  }
  const takes = ({ rules: { party_min, party_max } }: VenueService) =>
    party_min <= partySize && partySize <= party_max
  const [sized] = own.filter((one) => takes(one) && fitting.some(({ id }) => id === one.id))
  if (minutes === undefined || !sized || fitting.some(takes)) return undefined
  return serviceNotOffered(own, lengthsByParty(sized.name, sized.rules))
}

const overlaps = (
  { startsAt, endsAt }: Choice['slot'],
  { starts_at, ends_at }: { starts_at: string; ends_at: string | null },
) => startsAt < new Date(ends_at ?? starts_at) && new Date(starts_at) < endsAt

async function isFree(db: Db, request: SlotWish, services: readonly VenueService[]) {
  if (services.every(({ confirm_mode }) => confirm_mode !== 'http')) return true
  const { venueId, slotTime, partySize } = request
  return isFreeAtVenue(await selectMirrorDay(db, venueId, dateOf(slotTime)), slotTime, partySize)
}

/** Whether one of the choices looks free now; only `takeInventory` is certain. */
export async function looksFree(
  db: Db,
  { choices }: Evaluation,
  { venueId, partySize }: Pick<PartyRequest, 'venueId' | 'partySize'>,
): Promise<boolean> {
  const candidates = choices.map(({ service, slot }) => {
    const { rules, timezone, exceptions } = service
    return { service, slot, query: { rules, timezone, exceptions, partySize } }
  })
  const bookable = await selectBookable(db, new Map([[venueId, candidates]]), 1)
  return bookable.get(venueId)?.length === 1
}

/**
 * The person wished for, who else is free at that time, and when the person is next free within a
 * week; `why` if that person would be absent even without bookings. Undefined if nobody was wished
 * for.
 */
export async function leadersInstead(db: Db, request: PartyRequest, at: Date) {
  const { venueId, slotTime, timezone, leaderId } = request
  if (leaderId === undefined) return undefined
  const { choices } = await evaluateServices(db, { ...request, leaderId: undefined }, at)
  const leaders = leadersOf(choices.map(({ service }) => service))
  const ledBy = ({ id, name }: { id: string; name: string }) =>
    choices.flatMap((choice) =>
      wished([choice.service], { leaderId: id })
        .filter(() => !choice.slot.session || choice.slot.session.with === name)
        .map((service) => ({ ...choice, service })),
    )
  const free: string[] = []
  for (const one of leaders.filter(({ id }) => id !== leaderId)) {
    if (await looksFree(db, { choices: ledBy(one) }, request)) free.push(one.name)
  }
  const leader = leaders.find(({ id }) => id === leaderId)
  if (!leader) return undefined
  const from = toInstantPastGap(timezone, slotTime)
  const query = { at, from, count: 1, partySize: request.partySize, wish: request }
  const [next] = await selectNextTimes(db, venueId, query)
  const own = ledBy(leader)
  const why = own.length > 0 ? absentIn(own) : ledInstead(choices, leader.name)
  return { name: leader.name, free, next, why }
}

/**
 * When the session that was wished for by name is next free, from that day on, and why it is not at
 * that time, if another one is. Undefined if none was wished for.
 */
export async function sessionInstead(db: Db, request: PartyRequest, at: Date) {
  const { session, leaderId: _, ...rest } = request
  if (session === undefined) return undefined
  const { venueId, slotTime, timezone, partySize } = rest
  const from = toInstantPastGap(timezone, clockOn(dateOf(slotTime), '00:00'))
  const query = { at, from, count: 1, partySize, wish: request }
  const [next = null] = await selectNextTimes(db, venueId, query)
  const { choices } = await evaluateServices(db, rest, at)
  const [{ slot, service } = {}] = choices
  const name = slot?.session?.name ?? service?.name
  const isOther = slot && !isCalled(slot.session ?? {}, session)
  return {
    why: isOther && `The session is ${name}, not ${session}, at ${slotTime} (${timezone}).`,
    when: next ? `${session} is free at ${next}.` : `No ${session} is free in that week.`,
    facts: { next_session: next },
  }
}

/** Why nobody can come to any of these, even without bookings. */
export function absentIn(choices: readonly Choice[]): string | undefined {
  const why = choices.map(({ service, slot }) => absence(service, slot))
  return why.includes(undefined) ? undefined : why[0]
}

function ledInstead([choice]: readonly Choice[], name: string): string | undefined {
  const { session } = choice?.slot ?? {}
  const what = session?.name ?? choice?.service.name
  return `${what} is ${session?.with ? `with ${session.with}, ` : ''}not with ${name}`
}

/** Of the services that take the party, prefers one whose time is only too soon. */
function mostSpecificRefusal(
  results: readonly ReturnType<typeof evaluateSlot>[],
): RefusalData | undefined {
  const refusals = results.flatMap((one) => ('refusal' in one ? [one.refusal] : []))
  const others = refusals.filter(({ code }) => !code.startsWith('party_'))
  return others.find(({ code }) => code === 'lead_time') ?? others[0] ?? refusals[0]
}

export function claimOf(
  { service, slot }: Choice,
  { bookingId, partySize }: Pick<InventoryClaim, 'bookingId' | 'partySize'>,
): InventoryClaim {
  const { places, leaderIds } = placesOf(service, slot)
  const working = service.strategy === 'exclusive' ? workingAt(service, slot) : []
  return {
    bookingId,
    venueId: service.venue_id,
    serviceId: service.id,
    resourceIds: [...leaderIds, ...working.flatMap(({ ids }) => ids)],
    leads: Object.fromEntries(
      working.flatMap(({ ids, leads }) => (leads ? ids.map((id) => [id, leads] as const) : [])),
    ),
    startsAt: slot.startsAt,
    until: slot.occupiedUntil,
    partySize,
    places,
  }
}

/** False if the inventory is not free; the caller must then roll back. */
export function takeInventory(tx: Db, service: VenueService, claim: InventoryClaim) {
  return service.strategy === 'pooled'
    ? takeSeats(tx, claim)
    : allocate(tx, claim, service.rules.requires)
}
