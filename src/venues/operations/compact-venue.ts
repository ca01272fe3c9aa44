import { compactSlots, MAX_LISTED } from '../../availability/rules/compact-slots.ts'
import { factsByValue, factsNamed } from '../../base/venue-facts.ts'
import type { CompactVenue, CompactVenueAlone } from '../../contract/compact.ts'
import type { Venue } from '../../contract/public.ts'

/** A venue in a list, without fields that repeat; `needed` are the facts that were asked for. */
export const inBrief = (venue: Venue, needed: readonly string[] = []): CompactVenue => ({
  id: venue.id,
  slug: venue.slug,
  name: venue.name,
  category: venue.category,
  area: venue.area,
  price_level: venue.price_level,
  ...(venue.address?.street && { street: venue.address.street }),
  ...(needed.length > 0 && { facts: factsAbout(venue, needed) }),
  ...(venue.is_demo && { is_demo: true }),
  ...(venue.takes_test_money && { takes_test_money: true }),
  ...(venue.distance_km !== undefined && { distance_km: venue.distance_km }),
  ...(venue.mentions && { mentions: venue.mentions }),
  ...servicesIn(venue),
})

/** Says that demo venues cost nothing, if there are any. */
export function demoNotice(venues: readonly Pick<Venue, 'is_demo' | 'takes_test_money'>[]) {
  if (!venues.some(({ is_demo }) => is_demo)) return {}
  const some = venues.some(({ takes_test_money }) => takes_test_money)
  const payable = some ? '. Those with `takes_test_money` take test money (x402)' : ''
  const what = 'are fictitious: no one expects the guest there, and nothing is charged'
  return { demo: `Venues with \`is_demo\` ${what}${payable}.` }
}

const MAX_FITS = 3

/** The services that fit or else the names of all; only some of them if there are many. */
function servicesIn({ services, availability }: Venue) {
  const fits = availability.fits?.slice(0, MAX_FITS)
  const all = services.length > 1 ? services.map(({ name }) => name) : []
  const names = fits ? [] : all.slice(0, MAX_LISTED)
  const more = all.length - names.length - (fits?.length ?? 0)
  return {
    ...(names.length > 0 && { services: names }),
    ...(more > 0 && { more_services: more }),
    availability: compactSlots({ ...availability, fits }, services.length > 1),
  }
}

const factsAbout = ({ facts }: Venue, needed: readonly string[]) =>
  Object.fromEntries(
    factsNamed(needed).map(({ name }) => [name, facts[name] ?? ('unknown' as const)]),
  )

/** A single venue, with its known details. */
export function aloneInBrief(venue: Venue): CompactVenueAlone {
  const { street: _, facts: _facts, more_services: _more, ...brief } = inBrief(venue)
  const { city, country, latitude, longitude, description, tags } = venue
  const { address, phone, website, menu_url, opening_hours, cuisine, photos } = venue
  const { yes, no, unknown } = factsByValue(venue.facts)
  return {
    ...brief,
    services: venue.services,
    city,
    country,
    latitude,
    longitude,
    description,
    tags,
    ...filled({ address, phone, website, menu_url, opening_hours, cuisine, photos }),
    facts: filled({ yes, no, unknown }),
  }
}

type Filled<T> = { [K in keyof T]?: NonNullable<T[K]> }

/** Without null and empty fields. */
const filled = <T extends Record<string, unknown>>(fields: T): Filled<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Filled<T>
