import { feeBase, lengthsOf, wished } from '../../availability/rules/service-terms.ts'
import { fullName, onlySessions, sessionNames } from '../../availability/rules/sessions.ts'
import type { OfferedServices } from '../../availability/store/party-services.ts'
import { choosable, type VenueService } from '../../availability/store/venue-services.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { nameWords } from '../../base/plain-text.ts'
import type { Term } from '../store/text-query.ts'
import { personIn } from './asked-people.ts'
import { type FoundVenues, isMention } from './find-venues.ts'
import { byCheapest } from './price-lexicon.ts'
import {
  eachOf,
  has,
  hasAny,
  scoreOf,
  type Things,
  withoutLonger,
  wordsAbout,
} from './service-words.ts'
import type { UnderstoodQuery } from './understand.ts'

/** What a query requests at a venue. */
export type AskedService = {
  services: readonly VenueService[]
  /** the length of the first of them, if they are of a requested one */
  minutes?: number
  /** whom the guest wishes for */
  with?: string
  /** the part of the query that the services cannot fulfil */
  unmet?: string
}

/** Venues' services; where a venue has the requested ones, only those. */
export type AskedServices = {
  services: OfferedServices
  asked: ReadonlyMap<string, AskedService>
  /** what only the descriptions of venues mention of the things asked for */
  mentions: ReadonlyMap<string, readonly string[]>
  /** what the services of venues lack of the things asked for, and those of others have */
  lacking: ReadonlyMap<string, readonly string[]>
}

/** The services that a query asks for by their words, their length or a person's name. */
export function askedServices(
  offered: OfferedServices,
  { understood, venues, reading }: Pick<FoundVenues, 'understood' | 'venues' | 'reading'>,
): AskedServices {
  const wants = wantsOf(understood)
  const searched = thingsOf(understood.parsed, reading.terms)
  const asked = new Map(
    venues.flatMap(({ venue: { id, name } }) => {
      const all = choosable(offered.byVenue.get(id) ?? [])
      const own = askedAt(all, { ...wants, things: thingsAt(nameWords(name), wants.things) })
      return own ? [[id, own] as const] : []
    }),
  )
  const mentions = new Map(
    venues.flatMap(({ venue, standing }) => {
      const own = isMention(standing) ? offered.byVenue.get(venue.id) : undefined
      const words = own ? mentionedBy(venue, own, searched) : []
      return words.length > 0 ? [[venue.id, words] as const] : []
    }),
  )
  const lacking = lackingOf(offered.byVenue, asked, wants.things)
  for (const id of lacking.keys()) asked.delete(id)
  if (asked.size === 0) return { services: offered, asked, mentions, lacking }
  const byVenue = new Map(
    [...offered.byVenue].map(([id, all]) => [id, asked.get(id)?.services ?? all]),
  )
  return { services: { ...offered, byVenue }, asked, mentions, lacking }
}

/** Venues with some of the things, as a plain massage, while the services of another have more. */
function lackingOf(
  byVenue: OfferedServices['byVenue'],
  asked: ReadonlyMap<string, AskedService>,
  things: Things,
): Map<string, string[]> {
  const names = [...byVenue.values()]
    .flat()
    .flatMap(({ name, rules }) => [name, ...sessionNames(rules)])
  const offered = things.filter((ways) => hasAny(nameWords(names.join(' ')), ways))
  const lacks = [...byVenue].map(([id, all]) => {
    const own = (asked.get(id)?.services ?? choosable(all)).flatMap(wordsAbout)
    const missing = offered.filter((ways) => !hasAny(own, ways))
    return [id, missing.map(([said = []]) => said.join(' '))] as const
  })
  const least = Math.min(...lacks.map(([, { length }]) => length))
  return new Map(lacks.filter(([, { length }]) => length > least && length < offered.length))
}

/** What only the description of a venue has: not its name, tags, cuisine or services. */
function mentionedBy(
  { name, tags, cuisine, description }: FoundVenues['venues'][number]['venue'],
  services: readonly VenueService[],
  things: Things,
): string[] {
  const own = [...nameWords([name, ...tags, ...cuisine].join(' ')), ...services.flatMap(wordsAbout)]
  const described = nameWords(description)
  return things.flatMap((ways) => {
    const isOnly = !hasAny(own, ways) && hasAny(described, ways)
    return isOnly && ways[0] ? [ways[0].join(' ')] : []
  })
}

type Wants = {
  things: Things
  /** words that may be first names, each perhaps with a second name */
  people: UnderstoodQuery['people']
  /** what the guest does not want, as `things` */
  avoided: Things
  minutes: UnderstoodQuery['visit']['minutes']
  partySize: number | null
  /** whether the things are listed, as in "facial and massage" */
  isList: boolean
  isCheapest: boolean
}

const joins = new Set(['and', 'plus', 'then', 'dan', 'lalu', 'her', 'him'])

function wantsOf({ parsed, visit, people }: UnderstoodQuery): Wants {
  const wanted = parsed.terms.flat()
  // "Massage, not Thai massage" does not exclude every massage.
  const isOther = (way: string, index: number) => index === 0 || !wanted.includes(way)
  return {
    things: thingsOf(parsed, parsed.terms),
    people,
    avoided: parsed.avoided.map((ways) => ways.filter(isOther).map(nameWords)),
    minutes: visit.minutes,
    partySize: visit.partySize,
    isList: parsed.words.some((word) => joins.has(word)),
    isCheapest: byCheapest(visit.price),
  }
}

/** The terms as the query says them, and what else they mean. */
const thingsOf = ({ said }: UnderstoodQuery['parsed'], terms: readonly Term[]): Things =>
  terms.map((term) => [said.get(term[0] ?? '') ?? '', ...term].map(nameWords))

/** If the words are the venue's whole name, they ask for the venue and not for its services. */
function thingsAt(name: readonly string[], things: Things): Things {
  const ofName = ([said = []]: Things[number]) =>
    said.length > 0 && said.every((word) => name.includes(word))
  const said = new Set(things.filter(ofName).flatMap(([words = []]) => words))
  return name.every((word) => said.has(word)) ? things.filter((one) => !ofName(one)) : things
}

function askedAt(services: readonly VenueService[], wants: Wants): AskedService | undefined {
  const { minutes, partySize } = wants
  const { matching, isTold, isLess, apart } = matchingOf(services, wants)
  if (matching.length === 0 && isLess) return { services: [] }
  const isNamed = matching.some(({ rules }) => rules.session !== undefined)
  const { person, unmetPeople } = personIn(services, matching, wants.people)
  const pool = person?.own ?? matching
  // A length alone does not select the right one of several services.
  const isMeant = isTold || wants.things.length === 0 || services.length === 1
  const ofLength = isMeant ? lasting(pool, minutes, partySize) : []
  const [first] = ofLength
  const isLasting = first !== undefined
  if (!person && !isLasting && !isNamed && !isLess && !(isTold && isChoice(services)))
    return undefined
  const chosen = isLasting ? ofLength : taking(pool, partySize)
  const unmet = [
    unmetPeople,
    apart,
    minutes.length > 0 && !isLasting && unmetLength(pool, minutes, partySize),
  ].filter(Boolean)
  return {
    services: wants.isCheapest ? cheapestOf(chosen, partySize ?? 1) : chosen,
    ...(first && { minutes: lengthsOf(first.rules)[0] }),
    ...(person && { with: person.name }),
    ...(unmet.length > 0 && { unmet: unmet.join(', ') }),
  }
}

/** The services that match best, and whether the words distinguish them from others. */
function matchingOf(services: readonly VenueService[], { things, avoided, isList }: Wants) {
  const wanted = services.flatMap((one) => without(one, avoided))
  const isLess = wanted.length < services.length || wanted.some((one) => !services.includes(one))
  const bestOf = (some: readonly VenueService[]) =>
    Math.max(0, ...some.map((one) => scoreOf(one, things)))
  const best = bestOf(wanted)
  // Whatever has nothing else of the things is no match.
  if (isLess && best === 0 && bestOf(services) > 0)
    return { matching: [], isTold: true, isLess, apart: null }
  const each = isList ? eachOf(wanted, things) : []
  const alike = each.length > 0 ? each : wanted.filter((one) => scoreOf(one, things) === best)
  const matching = withoutLonger(alike, things).flatMap((one) => sessionsIn(one, things))
  const apart = each.length > 0 ? 'a booking is for one of them: make one for each wish' : null
  return { matching, isTold: best > 0 || isLess, isLess, apart }
}

/** The service, or the sessions of a class, unless the guest does not want what it is called. */
function without(service: VenueService, avoided: Things): VenueService[] {
  const isWanted = (session?: string) => {
    const words = nameWords(fullName(service.name, session))
    return !avoided.some((ways) => ways.some((way) => has(words, way)))
  }
  if (!isWanted()) return []
  const { sessions = [] } = service.rules
  if (sessions.every(({ name }) => isWanted(name))) return [service]
  const rules = onlySessions(service.rules, ({ name }) => isWanted(name))
  if (!rules) return []
  const some = [{ ...service, rules }]
  const isUnnamed = rules.sessions?.some(({ name, cancelled }) => !name && !cancelled)
  if (isUnnamed) return some
  return sessionNames(rules).flatMap((session) => wished(some, { session }))
}

/** Of a class, each of its sessions that the words mean by name; without any, the class itself. */
function sessionsIn(service: VenueService, things: Things): VenueService[] {
  const ofClass = nameWords(`${service.name} ${service.rules.kind ?? ''}`)
  const others = things.filter((ways) => !hasAny(ofClass, ways))
  const scored = sessionNames(service.rules).map((session) => {
    const words = nameWords(session)
    const score = others.filter((ways) => hasAny(words, ways)).length
    return { session, score }
  })
  const best = Math.max(1, ...scored.map(({ score }) => score))
  const meant = scored.filter(({ score }) => score === best)
  return meant.length > 0 ? meant.flatMap((one) => wished([service], one)) : [service]
}

const isChoice = (services: readonly VenueService[]) =>
  services.length > 1 || services.some(({ rules }) => lengthsOf(rules).length > 1)

/** The services that last this long for the party: each as often as it has a requested length. */
function lasting(
  services: readonly VenueService[],
  minutes: Wants['minutes'],
  size: number | null,
) {
  const lengths = new Set(services.flatMap(({ rules }) => lengthsOf(rules)))
  return [...lengths]
    .filter((length) => minutes.includes(length))
    .flatMap((length) => wished(services, { minutes: length }).filter((one) => takes(one, size)))
}

/** The services that take the party; all of them if none does. */
function taking(services: readonly VenueService[], size: number | null) {
  const some = services.filter((one) => takes(one, size))
  return some.length > 0 ? some : services
}

const takes = ({ rules }: VenueService, size: number | null) =>
  size === null || (rules.party_min <= size && size <= rules.party_max)

/** The length is not offered at all, or not to this many guests. */
const unmetLength = (
  pool: readonly VenueService[],
  minutes: Wants['minutes'],
  size: number | null,
) =>
  `not ${forLengths(minutes)}` +
  (size !== null && lasting(pool, minutes, null).length > 0 ? ` for ${size}` : '')

/** `for 60 or 90 minutes`. */
export const forLengths = (minutes: Wants['minutes']): string =>
  `for ${minutes.length > 3 ? `${minutes[0]} to ${minutes.at(-1)}` : minutes.join(' or ')} minutes`

function cheapestOf(services: readonly VenueService[], partySize: number): VenueService[] {
  const prices = services.map((one) => spendAt(one, partySize))
  const least = Math.min(...prices)
  return services.filter((_, index) => prices[index] === least)
}

/** What a party of this size pays for a service of its usual length, in minor units. */
export function spendAt({ rules }: VenueService, partySize: number): number {
  const { minutes = 0 } = rules.durations.find((one) => one.party_max >= partySize) ?? {}
  return feeBase(rules, partySize, new Date(0), new Date(minutes * MINUTE_MS))
}
