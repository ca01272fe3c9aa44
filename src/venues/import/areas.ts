import type { AreaRow } from '../../availability/store/areas.ts'
import { wordsOf } from '../../base/plain-text.ts'
import { quoted } from '../../contract/safe-text.ts'

/** Maximum distance from the centre of a named area, and from the nearest area. */
const NAMED_KM = 30
const NEAREST_KM = 10

type LatLng = { latitude: number; longitude: number }

/** The area that a venue names or, without a name, the nearest area. */
export function areaFor(
  areas: readonly AreaRow[],
  name: string | undefined,
  point: LatLng,
): AreaRow | { problem: string } {
  if (name === undefined) return nearestArea(areas, point)
  const match = byDistance(namesOf(areas).get(plainOf(name)) ?? [], point)[0]
  if (!match) {
    const near = neighbours(areas, point)
    return { problem: `area: ${quoted(name)} is not known; near the venue are ${near}` }
  }
  if (match.km <= NAMED_KM) return match.area
  return { problem: farText(point, `${match.area.name}, ${kilometres(match.km)}`, NAMED_KM) }
}

function nearestArea(areas: readonly AreaRow[], point: LatLng): AreaRow | { problem: string } {
  const nearest = byDistance(areas, point)[0]
  if (!nearest) return { problem: 'area: the network has no areas yet; run `npm start` once' }
  if (nearest.km <= NEAREST_KM) return nearest.area
  const what = `the nearest area, ${nearest.area.name}, ${kilometres(nearest.km)}`
  return { problem: farText(point, what, NEAREST_KM) }
}

const names = new WeakMap<readonly AreaRow[], Map<string, AreaRow[]>>()

/** Areas by slug, name and alias, each in plain words. */
function namesOf(areas: readonly AreaRow[]): Map<string, AreaRow[]> {
  const before = names.get(areas)
  if (before) return before
  const byName = new Map<string, AreaRow[]>()
  for (const area of areas) {
    for (const name of new Set([area.slug, area.name, ...area.aliases].map(plainOf))) {
      byName.set(name, [...(byName.get(name) ?? []), area])
    }
  }
  names.set(areas, byName)
  return byName
}

const plainOf = (name: string) => wordsOf(name).join(' ')

const farText = ({ latitude, longitude }: LatLng, what: string, limit: number) =>
  `latitude, longitude: ${latitude}, ${longitude} is too far from ${what} (at most ${limit} km): ` +
  'in the sea or another region'

const neighbours = (areas: readonly AreaRow[], point: LatLng): string =>
  byDistance(areas, point)
    .slice(0, 3)
    .map(({ area, km }) => `${area.slug} (${kilometres(km)})`)
    .join(', ')

const kilometres = (km: number) => `${km < 10 ? km.toFixed(1) : Math.round(km)} km away`

const byDistance = (areas: readonly AreaRow[], point: LatLng) =>
  areas
    .map((area) => ({ area, km: distanceKm(area, point) }))
    .sort((one, other) => one.km - other.km)

const EARTH_KM = 6371
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Haversine. */
function distanceKm(one: LatLng, other: LatLng): number {
  const half = (angle: number) => Math.sin(radians(angle) / 2) ** 2
  const chord =
    half(other.latitude - one.latitude) +
    Math.cos(radians(one.latitude)) *
      Math.cos(radians(other.latitude)) *
      half(other.longitude - one.longitude)
  return 2 * EARTH_KM * Math.asin(Math.sqrt(Math.min(1, chord)))
}
