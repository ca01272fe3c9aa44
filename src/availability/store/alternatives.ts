import { DAY_MS, MINUTE_MS } from '../../base/durations.ts'
import { dateOf, toInstantPastGap } from '../../base/local-time.ts'
import { plainWords } from '../../base/plain-text.ts'
import type { Alternative } from '../../contract/alternative.ts'
import { createCache } from '../../platform/database/cache.ts'
import type { Db } from '../../platform/database/sql.ts'
import { depositFor } from '../rules/deposit.ts'
import { differences, type OfferedStay } from '../rules/differences.ts'
import {
  expectedPrice,
  feeBase,
  leadersOf,
  lengthsOf,
  type Wish,
  wished,
} from '../rules/service-terms.ts'
import { fullName, sessionNames } from '../rules/sessions.ts'
import { durationFor, nightOf, type OfferedSlot } from '../rules/slots.ts'
import { bookableSlots, planSlots } from './bookable-slots.ts'
import { type CandidateSlot, candidatesOf } from './candidate-slots.ts'
import { readInventory } from './inventory-query.ts'
import { type PartyService, partyServicesOf, readServices } from './party-services.ts'
import type { VenueService } from './venue-services.ts'
import { type LikeVenue, selectLikeVenues, selectVenueRef, type VenueRef } from './venues.ts'

/** How many similar venues to check for free slots. */
const LIKE_VENUES = 8
/** Maximum alternatives at other venues if this venue has other times that day. */
const MAX_ELSEWHERE = 2
/** Maximum distance from the wanted time of day, at another venue and on another day. */
const NEAR_MS = 60 * MINUTE_MS
const NEAR_OTHER_DAY_MS = 120 * MINUTE_MS
/** Other days to check: the day before, and the three days after. */
const OTHER_DAYS = [1, -1, 2, 3]

export type RefusedSlot = {
  slotTime: string
  partySize: number
  at: Date
  limit: number
  /** the wish at this venue; at other venues, only the kind and length of its service count */
  wish?: Wish
  /** Lists the venue itself last, because it said no. */
  ownLast?: boolean
  /** Lists only the venue itself, because a booking cannot move to another one. */
  isChange?: boolean
}

/** Slots of one venue on one day, nearest to the wanted time first; `km`: its distance. */
type Group = {
  venue: VenueRef
  km?: number
  kind: Alternative['kind']
  candidates: CandidateSlot[]
}

/** How many other people to offer if the one wished for is not free. */
const OTHER_LEADERS = 2

/** What venues offer to a party of this size around a date. */
type Offerable = { venues: readonly LikeVenue[]; offered: ReadonlyMap<string, PartyService[]> }
const NOWHERE: Offerable = { venues: [], offered: new Map() }

/**
 * Alternatives: the same day at the same venue, nearest first; then about the same time at similar
 * venues nearby; then other days at the same venue at about the same time. Reads the rules of at
 * most nine venues, and the inventory of a few slots each.
 */
export async function selectAlternatives(
  db: Db,
  venueId: string,
  refusal: RefusedSlot,
): Promise<Alternative[]> {
  const { limit, slotTime, ownLast = false } = refusal
  const { groups, wanted } = await groupsAround(db, venueId, refusal)
  const plan = await planSlots(db, candidatesOfAll(groups))
  const inventory = await readInventory(db, plan.inventory)
  const of = (kind: Alternative['kind'], count: number) => {
    const those = groups.filter((group) => group.kind === kind)
    const free = bookableSlots({ ...plan, candidates: candidatesOfAll(those) }, inventory, count)
    return those.flatMap(({ venue: { id, slug, name }, km }, index) =>
      (free.get(String(index)) ?? []).map(({ service, slot }): Alternative => {
        const visit = visitOf(service, slot, refusal.partySize)
        const { price, deposit, with: leader } = visit
        const why = wanted ? differences(wanted, visit, km) : [kind.replace('_', ' ')]
        return {
          venue: { id, slug, name },
          ...(km !== undefined && { distance_km: km }),
          slot_time: slot.slotTime,
          service: visit.service,
          minutes: visit.minutes,
          ...(price && { price }),
          ...(deposit && { deposit }),
          ...(leader && { with: leader }),
          kind,
          same_time: clockOf(slot.slotTime) === clockOf(slotTime),
          ask_user_first: why.length > 0,
          ...(why.length > 0 && { why_ask: why.join('; ') }),
        }
      }),
    )
  }
  const sameDay = of('same_day', limit)
  const elsewhere = of('other_venue', 1)
    .toSorted((a, b) => Number(b.same_time) - Number(a.same_time))
    .slice(0, Math.max(MAX_ELSEWHERE, limit - sameDay.length))
  const own = sameDay.slice(0, limit - elsewhere.length)
  const today = ownLast ? [...elsewhere, ...own] : [...own, ...elsewhere]
  if (today.length >= limit) return today
  return [...today, ...of('other_day', 1)].slice(0, limit)
}

/** The stay that was wanted at a time at which none begins. */
function usualSlot({ rules }: VenueService, slotTime: string, startMs: number, partySize: number) {
  const minutes = durationFor(rules, partySize) ?? lengthsOf(rules)[0] ?? 0
  return { slotTime, startsAt: new Date(startMs), endsAt: new Date(startMs + minutes * MINUTE_MS) }
}

/** What a party would book there. */
function visitOf(
  service: VenueService,
  { slotTime, startsAt, endsAt, session }: Omit<OfferedSlot, 'occupiedUntil' | 'cancelUntil'>,
  partySize: number,
): OfferedStay {
  const { id, venue_id, name, rules, currency, resources } = service
  const minutes = (endsAt.getTime() - startsAt.getTime()) / MINUTE_MS
  const wishedId = rules.requires.find(({ wished }) => wished)?.wished
  return {
    venueId: venue_id,
    serviceId: id,
    service: fullName(name, session?.name),
    slotTime,
    night: nightOf(service, slotTime),
    startsAt,
    minutes,
    spendMinor: feeBase(rules, partySize, startsAt, endsAt),
    currency,
    price: expectedPrice(rules, minutes, currency),
    deposit: depositFor(rules.deposits, { slotTime, partySize, currency }),
    with: leadersOf([{ resources }]).find((leader) => leader.id === wishedId)?.name,
  }
}

const candidatesOfAll = (groups: readonly Group[]) =>
  new Map(groups.map(({ candidates }, index) => [String(index), candidates]))

async function groupsAround(
  db: Db,
  venueId: string,
  { slotTime, partySize, at, wish = {}, isChange = false }: RefusedSlot,
): Promise<{ groups: Group[]; wanted: OfferedStay | undefined }> {
  const venue = await selectVenueRef(db, venueId)
  const wantedAt = toInstantPastGap(venue.timezone, slotTime).getTime()
  const within = (fromMs: number, untilMs: number) => ({
    at,
    from: new Date(wantedAt + fromMs),
    until: new Date(wantedAt + untilMs),
  })
  const days = within(-2 * DAY_MS, 4 * DAY_MS)
  const services = (await readServices(db, [venueId], days)).byVenue.get(venueId) ?? []
  const own = partyServicesOf(services, partySize, wish)
  const { serviceId, session, minutes } = wish
  const key = [venueId, partySize, dateOf(slotTime), serviceId, session, minutes].join()
  const [named] = serviceId === undefined ? [] : wished(services, { serviceId, session })
  const like = isChange
    ? NOWHERE
    : await likeVenues(db, key, async () => {
        const venues = await selectLikeVenues(db, venueId, { partySize, limit: LIKE_VENUES })
        const ids = venues.map(({ id }) => id)
        const { byVenue } = await readServices(db, ids, days)
        const offered = [...byVenue].map(([id, all]) => {
          const { alike, score } = mostAlike(partyServicesOf(all, partySize, { minutes }), named)
          return [id, alike, score] as const
        })
        const best = Math.max(...offered.map(([, , score]) => score))
        const scores = new Map(offered.map(([id, , score]) => [id, score]))
        const scoreOf = ({ id }: VenueRef) => scores.get(id) ?? 0
        return {
          venues: venues
            .filter((one) => best < 1 || scoreOf(one) > 0)
            .toSorted((a, b) => scoreOf(b) - scoreOf(a)),
          offered: new Map(offered.map(([id, alike]) => [id, alike])),
        }
      })
  const isRefused = ({ service, slot }: CandidateSlot) =>
    service.venue_id === venueId && slot.slotTime === slotTime
  const date = dateOf(slotTime)
  const [night = date] = own.map(({ query }) => nightOf(query, slotTime)).sort()
  const isThatDay = ({ service, query, slot }: CandidateSlot) =>
    service.venue_id !== venueId ||
    nightOf(query, slot.slotTime) === night ||
    (night === date && dateOf(slot.slotTime) === date)
  const near = (services: readonly PartyService[] = [], days: number, withinMs: number) => {
    const middle = days * DAY_MS
    const distance = ({ slot }: CandidateSlot) =>
      Math.abs(slot.startsAt.getTime() - wantedAt - middle)
    return candidatesOf(services, within(middle - withinMs, middle + withinMs))
      .filter((one) => isThatDay(one) === (days === 0) && !isRefused(one))
      .sort((a, b) => distance(a) - distance(b))
  }
  const leaders = wish.leaderId === undefined ? [] : leadersOf(own.map(({ service }) => service))
  const others = leaders.filter(({ id }) => id !== wish.leaderId).slice(0, OTHER_LEADERS)
  const groups: Group[] = [
    ...others.map(({ id: leaderId }) => ({
      venue,
      kind: 'same_day' as const,
      candidates: candidatesOf(
        partyServicesOf(services, partySize, { ...wish, leaderId }),
        within(0, 0),
      ),
    })),
    ...like.venues.map(({ km, ...one }) => ({
      venue: one,
      km,
      kind: 'other_venue' as const,
      candidates: near(like.offered.get(one.id), 0, NEAR_MS),
    })),
    { venue, kind: 'same_day', candidates: near(own, 0, DAY_MS) },
    ...OTHER_DAYS.map((days) => ({
      venue,
      kind: 'other_day' as const,
      candidates: near(own, days, NEAR_OTHER_DAY_MS),
    })),
  ]
  const [there] = candidatesOf(own, within(0, 0))
  const service = there?.service ?? own[0]?.service ?? services[0]
  const slot = there?.slot ?? (service && usualSlot(service, slotTime, wantedAt, partySize))
  return { groups, wanted: service && slot && visitOf(service, slot, partySize) }
}

/** The services of the wanted kind whose names share the most words with it. */
function mostAlike(all: readonly PartyService[], wanted: VenueService | undefined) {
  if (!wanted) return { alike: [...all], score: 0 }
  const words = nameWords(wanted)
  const scored = all
    .filter(({ service }) => service.rules.kind === wanted.rules.kind)
    .map((one) => ({ one, score: nameWords(one.service).intersection(words).size }))
  const score = Math.max(0, ...scored.map((one) => one.score))
  return { alike: scored.filter((one) => one.score === score).map(({ one }) => one), score }
}

/** The words by which people know a service or the sessions of a class. */
const nameWords = ({ name, rules }: VenueService) =>
  new Set([name, ...sessionNames(rules)].flatMap(plainWords).map((word) => word.replace(/s$/, '')))

/** Cached because, in a rush for a slot, every refusal needs the same venues and rules. */
const likeVenues = createCache<Offerable>({ max: 200, ttlMs: 30_000 })

const clockOf = (slotTime: string) => slotTime.slice(11)
