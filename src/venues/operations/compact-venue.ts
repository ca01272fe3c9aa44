import { compactSlots } from '../../availability/rules/compact-slots.ts'
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
  ...(venue.distance_km !== undefined && { distance_km: venue.distance_km }),
  ...(venue.services.length > 1 && { services: venue.services.map(({ name }) => name) }),
  availability: compactSlots(venue.availability),
})

const factsAbout = ({ facts }: Venue, needed: readonly string[]) =>
  Object.fromEntries(
    factsNamed(needed).map(({ name }) => [name, facts[name] ?? ('unknown' as const)]),
  )

/** A single venue, with its known details. */
export function aloneInBrief(venue: Venue): CompactVenueAlone {
  const { street: _, facts: _facts, ...brief } = inBrief(venue)
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
