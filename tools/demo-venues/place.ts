import { factNames, type VenueFacts } from '../../src/base/venue-facts.ts'
import { neededFacts } from '../../src/venues/search/kinds.ts'
import type { NewVenue } from '../../src/venues/store/new-venues.ts'
import type { Draws } from './draws.ts'
import texts from './places.json' with { type: 'json' }

type Choices = readonly [string, ...string[]]
type Area = { slug: string; name: string; country: string }
type Told = Pick<NewVenue, 'tags' | 'description' | 'category' | 'slug'>

const { cuisines, said, drawn } = texts
const byCountry = (values: Record<string, unknown>, country: string) => values[country] as never

/** The place of a fictitious venue: a street that may exist, and a phone number that cannot. */
export function placeOf(area: Area, venue: Told, draws: Draws) {
  const { slug, name: locality, country } = area
  const name = draws.pick('street', byCountry(texts.names, country) as Choices)
  const number = String(draws.between('house number', 1, 240))
  const street = (byCountry(texts.street, country) as string)
    .replace('{name}', name)
    .replace('{number}', number)
  const site = `https://${venue.slug}.example/`
  return {
    address: {
      street,
      locality,
      postcode: (texts.postcode as Record<string, string>)[slug] ?? null,
    },
    phone: phoneOf(country, draws),
    website: draws.pick('website', [site, site, null]),
    menu_url: venue.category === 'gym' ? null : draws.pick('menu', [`${site}menu`, null]),
    cuisine: venue.tags.filter((tag) => cuisines.includes(tag)),
    facts: factsOf(venue, draws),
  }
}

/** The number of a subscriber never begins with 0, so nobody is called by mistake. */
const phoneOf = (country: string, draws: Draws): string =>
  (byCountry(texts.phone, country) as string) + String(draws.between('phone', 100_000, 999_999))

/** What the texts say, and otherwise what is drawn; a third is not known. */
function factsOf({ tags, description, category }: Told, draws: Draws): VenueFacts {
  const text = ` ${[...tags, description]
    .join(' ')
    .toLowerCase()
    .replace(/[^a-z-]+/g, ' ')} `
  const tagged = tags.flatMap((tag) => neededFacts.get(tag)?.name ?? [])
  const entries = factNames.map((name) => {
    const words = (said as Record<string, string>)[name]?.split('|') ?? []
    const isSaid = tagged.includes(name) || words.some((word) => text.includes(` ${word} `))
    const isMeal = ['halal', 'vegan', 'vegetarian', 'alcohol'].includes(name)
    const isFree = !isMeal || category === 'restaurant'
    const value = isSaid ? 'yes' : isFree ? draws.pick(name, drawn[name] as unknown as Choices) : ''
    return [name, value] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}
