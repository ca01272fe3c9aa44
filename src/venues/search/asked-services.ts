import { feeBase, lengthsOf, wished } from '../../availability/rules/service-terms.ts'
import type { OfferedServices } from '../../availability/store/party-services.ts'
import { isBookable, type VenueService } from '../../availability/store/venue-services.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { wordsOf } from '../../base/plain-text.ts'
import type { FoundVenues } from './find-venues.ts'
import { byCheapest } from './price-lexicon.ts'
import type { UnderstoodQuery } from './understand.ts'

/** What a query asks for at a venue. */
type AskedService = {
  services: readonly VenueService[]
  /** the length, if the services can be had for so long */
  minutes?: number
  /** whom the guest wishes for */
  with?: string
}

/** Venues' services, only those asked for where a venue has them. */
export type AskedServices = {
  services: OfferedServices
  asked: ReadonlyMap<string, AskedService>
}

/** The services that a query asks for by their words, their length or a person's name. */
export function askedServices(
  offered: OfferedServices,
  { understood, venues }: Pick<FoundVenues, 'understood' | 'venues'>,
): AskedServices {
  const wants = wantsOf(understood)
  const asked = new Map(
    venues.flatMap(({ venue: { id, name } }) => {
      // The words of a venue's name ask for the venue.
      const isOfName = (words: readonly string[]) =>
        words.length > 0 && words.every((word) => wordsOf(name).includes(word))
      const things = wants.things.filter(([said = []]) => !isOfName(said))
      const all = offered.byVenue.get(id)?.filter(isBookable) ?? []
      const own = askedAt(all, { ...wants, things })
      return own ? [[id, own] as const] : []
    }),
  )
  if (asked.size === 0) return { services: offered, asked }
  const byVenue = new Map(
    [...offered.byVenue].map(([id, all]) => [id, asked.get(id)?.services ?? all]),
  )
  return { services: { ...offered, byVenue }, asked }
}

type Wants = {
  /** for each thing, the ways to say it, each as words that must all occur */
  things: readonly (readonly (readonly string[])[])[]
  /** words that may be names of people */
  people: readonly string[]
  minutes: number | null
  partySize: number | null
  isCheapest: boolean
}

function wantsOf({ parsed, visit, people }: UnderstoodQuery): Wants {
  const { terms, said } = parsed
  const things = terms.map((term) =>
    [said.get(term[0] ?? '') ?? '', ...term].map((one) => wordsOf(one)),
  )
  return {
    things,
    people,
    minutes: visit.minutes,
    partySize: visit.partySize,
    isCheapest: byCheapest(visit.price),
  }
}

function askedAt(services: readonly VenueService[], wants: Wants): AskedService | undefined {
  const { things, minutes, partySize } = wants
  const person = personIn(services, wants.people)
  const pool = person ? wished(services, { leaderId: person.id }) : services
  const scores = pool.map((one) => scoreOf(one, things))
  const best = Math.max(0, ...scores)
  const matching = pool.filter((_, index) => scores[index] === best)
  // A length alone does not tell which of several services has the thing wanted.
  const isMeant = best > 0 || things.length === 0 || services.length === 1
  const lasting = minutes !== null && isMeant ? wished(matching, { minutes }) : []
  const ofLength = lasting.filter(({ rules }) => takesParty(rules, partySize))
  const isChoice = services.length > 1 || services.some(({ rules }) => lengthsOf(rules).length > 1)
  const isAsked = person !== undefined || (isChoice && best > 0) || ofLength.length > 0
  if (!isAsked) return undefined
  const chosen = ofLength.length > 0 ? ofLength : matching
  return {
    services: wants.isCheapest ? cheapestOf(chosen, partySize ?? 1) : chosen,
    ...(ofLength.length > 0 && minutes !== null && { minutes }),
    ...(person && { with: person.name }),
  }
}

const takesParty = ({ party_min, party_max }: VenueService['rules'], size: number | null) =>
  size === null || (party_min <= size && size <= party_max)

/** The person whose name occurs in the query, if it is only one. */
function personIn(services: readonly VenueService[], words: readonly string[]) {
  const people = services.flatMap(({ resources }) =>
    resources.flatMap(({ name, ids: [id] }) => {
      const isNamed = name !== undefined && wordsOf(name).some((word) => words.includes(word))
      return isNamed && id !== undefined ? [[id, { id, name }] as const] : []
    }),
  )
  const [only, ...others] = new Map(people).values()
  return others.length === 0 ? only : undefined
}

/** How well a service matches: its name counts more than its description, exact words most. */
function scoreOf({ name, rules }: VenueService, things: Wants['things']): number {
  const named = wordsOf(name).map(singular)
  const { kind, description, sessions = [] } = rules
  const texts = [kind, description, ...sessions.map((one) => one.name)].filter(Boolean)
  const all = [...named, ...wordsOf(texts.join(' ')).map(singular)]
  const has = (words: readonly string[], these: readonly string[]) =>
    these.length > 0 && these.every((word) => words.includes(singular(word)))
  return things.reduce((score, ways) => {
    const [said = []] = ways
    if (has(named, said)) return score + 3
    if (ways.some((way) => has(named, way))) return score + 2
    return ways.some((way) => has(all, way)) ? score + 1 : score
  }, 0)
}

const singular = (word: string) => word.replace(/(?<=[a-z]{3})s$/, '')

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
