import { sessionNames } from '../../availability/rules/sessions.ts'
import type { VenueService } from '../../availability/store/venue-services.ts'
import { nameWords } from '../../base/plain-text.ts'

/** For each thing, the ways to say it; in each, all words must occur. */
export type Things = readonly (readonly (readonly string[])[])[]

/** The services for each of several things that none of them has together. */
export function eachOf(services: readonly VenueService[], things: Things): VenueService[] {
  const forEach = things
    .map((ways) => services.filter(({ name }) => hasAny(nameWords(name), ways)))
    .filter((some) => some.length > 0)
  const isTogether = services.some((one) => forEach.every((some) => some.includes(one)))
  return forEach.length > 1 && !isTogether ? [...new Set(forEach.flat())] : []
}

/** How well a service matches: its name counts more than its description, exact words most. */
export function scoreOf(service: VenueService, things: Things): number {
  const named = nameWords(service.name)
  const all = wordsAbout(service)
  return things.reduce((score, ways) => {
    const [said = []] = ways
    if (has(named, said)) return score + 3
    if (hasAny(named, ways)) return score + 2
    return hasAny(all, ways) ? score + 1 : score
  }, 0)
}

/** A service that was named in full, rather than those whose longer names contain its name. */
export function withoutLonger(services: readonly VenueService[], things: Things): VenueService[] {
  const said = things.flat().map((way) => way.join(' '))
  const full = services
    .map(({ name }) => nameWords(name))
    .filter((one) => said.includes(one.join(' ')))
  return services.filter(({ name }) => {
    const own = nameWords(name)
    return !full.some((one) => one.length < own.length && has(own, one))
  })
}

/** Whether words contain all of these. */
export const has = (words: readonly string[], these: readonly string[]) =>
  these.length > 0 && these.every((word) => words.includes(word))
/** Whether words contain one of these ways to say a thing. */
export const hasAny = (words: readonly string[], ways: readonly (readonly string[])[]) =>
  ways.some((way) => has(words, way))

/** The words of everything that says what a service is. */
export function wordsAbout({ name, rules }: VenueService): string[] {
  const texts = [name, rules.kind, rules.description, ...sessionNames(rules)]
  return nameWords(texts.filter(Boolean).join(' '))
}
