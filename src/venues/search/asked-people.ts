import { wished } from '../../availability/rules/service-terms.ts'
import type { VenueService } from '../../availability/store/venue-services.ts'
import { plainWords } from '../../base/plain-text.ts'
import type { UnderstoodQuery } from './understand.ts'

type People = UnderstoodQuery['people']

/** The only named person who leads a matching service, or why there is none. */
export function personIn(
  services: readonly VenueService[],
  matching: readonly VenueService[],
  words: People,
) {
  const people = peopleNamed(services, words)
  const led = people.flatMap(({ id, name }) => {
    const own = wished(matching, { leaderId: id })
    return own.length > 0 ? [{ name, own }] : []
  })
  const [person, ...others] = led
  if (person && others.length === 0) return { person }
  const names = people.map(({ name }) => name).join(' or ')
  return { unmetPeople: names && (person ? `with whom: ${names}?` : `not with ${names}`) }
}

/** The people whose names occur in the query; full names prevail over first names. */
function peopleNamed(services: readonly VenueService[], words: People) {
  const all = services.flatMap(({ resources }) =>
    resources.flatMap(({ name, ids: [id] }) => (name && id ? [[id, { id, name }] as const] : [])),
  )
  const named = [...new Map(all).values()].filter(({ name }) =>
    words.some(([first = '']) => plainWords(name).includes(first)),
  )
  const exact = named.filter(({ name }) =>
    words.some((both) => both.length > 1 && both.every((word) => plainWords(name).includes(word))),
  )
  return exact.length > 0 ? exact : named
}
