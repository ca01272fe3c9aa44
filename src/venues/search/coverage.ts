import type { AreaRow } from '../../availability/store/areas.ts'
import { categories } from '../../base/venue-kinds.ts'
import type { Interpretation } from '../../contract/interpretation.ts'
import type { Outside } from './outside.ts'
import { nearestArea } from './places.ts'

/** Maximum number of cities and islands in the list; the nearest are kept. */
const MAX_LISTED = 20
/** Maximum number of cities and islands in a sentence. */
const MAX_SAID = 4

const KINDS = `${categories.slice(0, -1).join('s, ')}s and ${categories.at(-1)}s`

/** What a query wants and the network lacks, with the covered places; null if it lacks nothing. */
export function notCovered(
  { place, kinds }: Outside,
  areas: readonly AreaRow[],
): Interpretation['not_covered'] {
  if (!place && kinds.length === 0) return null
  const at = place?.at ?? null
  const nearest = at && nearestArea(at, areas)
  return {
    place: place?.name ?? null,
    kinds: [...kinds],
    nearest: nearest
      ? {
          area: nearest.area.name,
          city: nearest.area.city,
          country: nearest.area.country,
          distance_km: Math.round(nearest.km),
        }
      : null,
    covered: { areas: citiesOf(areas, at), kinds: [...categories] },
  }
}

function citiesOf(areas: readonly AreaRow[], at: NonNullable<Outside['place']>['at']): string[] {
  const cities = [...Map.groupBy(areas, ({ city }) => city)]
  const byDistance = cities
    .map(([city, within]) => ({ city, km: at ? (nearestArea(at, within)?.km ?? 0) : 0 }))
    .sort((one, other) => one.km - other.km)
  return byDistance.slice(0, MAX_LISTED).map(({ city }) => city)
}

/** Says what is not covered, and what to search for instead. */
export function coverageHint({
  place,
  kinds,
  nearest,
  covered,
}: NonNullable<Interpretation['not_covered']>): string {
  const { areas } = covered
  if (areas.length === 0) return 'The network has no venues yet.'
  const more = areas.length > MAX_SAID ? ' and other areas of `covered`' : ''
  const offered = `Search for ${KINDS} in ${areas.slice(0, MAX_SAID).join(', ')}${more}.`
  const quoted = kinds.map((one) => `"${one}"`).join(' and ')
  const missing = quoted ? `${quoted} cannot be booked here. ` : ''
  if (!place) return `${missing}Search for ${KINDS}.`
  const near = nearest
    ? ` The nearest area that is covered is ${nearest.area}${
        nearest.city === nearest.area ? '' : ` (${nearest.city})`
      }, ${nearest.distance_km} km away.`
    : ''
  return `${missing}${place} is not covered.${near} ${offered}`
}
