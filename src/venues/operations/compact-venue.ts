import { compactSlots } from '../../availability/rules/compact-slots.ts'
import type { CompactVenue, CompactVenueAlone } from '../../contract/compact.ts'
import type { Venue } from '../../contract/public.ts'

/** A venue in a list, without fields that repeat. */
export const inBrief = (venue: Venue): CompactVenue => ({
  id: venue.id,
  slug: venue.slug,
  name: venue.name,
  category: venue.category,
  area: venue.area,
  price_level: venue.price_level,
  ...(venue.is_demo && { is_demo: true }),
  availability: compactSlots(venue.availability),
})

/** A single venue. */
export function aloneInBrief(venue: Venue): CompactVenueAlone {
  const { city, country, latitude, longitude, description, tags } = venue
  return { ...inBrief(venue), city, country, latitude, longitude, description, tags }
}
