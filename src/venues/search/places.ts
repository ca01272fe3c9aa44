import type { AreaRow } from '../../availability/store/areas.ts'
import type { LatLng } from '../store/venue-scopes.ts'
import { landmarks } from './landmarks.ts'
import { cityNames, countryNames } from './place-names.ts'

/** Where to search: an area, those of a city, island or country, or those around a landmark. */
export type SearchArea = {
  name: string
  areas: readonly string[]
  /** the phrase for use in a sentence: "in Ubud", "near Tanah Lot" */
  where: string
  /** the landmark to search near; the place then has the landmark's areas and name */
  landmark: string | null
  /** the origin of distances; null measures from the centre of each venue's area */
  origin: LatLng | null
}

/** A place with all its names. */
export type NamedArea = { names: readonly string[]; place: SearchArea }

const placeOf = (name: string, areas: readonly AreaRow[]): SearchArea => ({
  name,
  areas: areas.map(({ slug }) => slug),
  where: `in ${name}`,
  landmark: null,
  origin: null,
})

const regions = new Intl.DisplayNames('en', { type: 'region' })
const regionName = (code: string) => regions.of(code) ?? code

/** Every place in a network. Among equal names, areas prevail over cities, cities over aliases. */
export function namedAreas(areas: readonly AreaRow[]): NamedArea[] {
  const countries = [...Map.groupBy(areas, ({ country }) => country)].map(([code, within]) => ({
    names: countryNames[code] ?? [regionName(code)],
    place: placeOf(regionName(code), within),
  }))
  const aliases = areas.map((area) => ({ names: area.aliases, place: placeOf(area.name, [area]) }))
  const cities = [...Map.groupBy(areas, ({ city }) => city)].map(([city, within]) => ({
    names: [city, ...(cityNames[city] ?? [])],
    place: placeOf(city, within),
  }))
  const single = areas.map((area) => ({
    names: [area.slug, area.name],
    place: placeOf(area.name, [area]),
  }))
  return [...namedLandmarks(areas), ...countries, ...aliases, ...cities, ...single]
}

/** The airports of a network, each a place to search near. */
export const airports = (areas: readonly AreaRow[]): SearchArea[] =>
  namedLandmarks(areas)
    .map(({ place }) => place)
    .filter(({ landmark }) => landmark?.endsWith(' Airport'))

/** The greatest distance that "near" can mean; searches that look further say so. */
const AROUND_KM = 10
/** Areas within 25 % of the nearest one's distance count as equally near. */
const ABOUT_AS_FAR = 1.25

function namedLandmarks(areas: readonly AreaRow[]): NamedArea[] {
  return landmarks.flatMap(({ names, area, latitude, longitude }) => {
    const home = areas.find(({ slug }) => slug === area)
    const [name] = names
    if (!home || !name) return []
    return [{ names, place: placeAround(name, { latitude, longitude }, home, areas) }]
  })
}

/** The areas around a named point, and the area that it belongs to. */
function placeAround(
  name: string,
  { latitude, longitude }: LatLng,
  home: AreaRow,
  areas: readonly AreaRow[],
): SearchArea {
  const origin = { latitude, longitude }
  const reach = Math.max(AROUND_KM, kilometres(home, origin) * ABOUT_AS_FAR)
  const around = areas.filter((one) => one === home || kilometres(one, origin) < reach)
  return { ...placeOf(home.name, around), where: `near ${name}`, landmark: name, origin }
}

/** The area nearest to a point, and the distance to its centre in kilometres. */
export function nearestArea(
  at: LatLng,
  areas: readonly AreaRow[],
): { area: AreaRow; km: number } | undefined {
  const byDistance = areas.map((area) => ({ area, km: kilometres(area, at) }))
  return byDistance.sort((one, other) => one.km - other.km)[0]
}

/** A named point as a place to search near. */
export function placeNear(name: string, at: LatLng, areas: readonly AreaRow[]): SearchArea | null {
  const nearest = nearestArea(at, areas)
  return nearest ? placeAround(name, at, nearest.area, areas) : null
}

/** Wider places to try: the city or island, the nearest areas, the country within reach. */
export function areasAround(
  place: SearchArea,
  areas: readonly AreaRow[],
  reachKm = Number.POSITIVE_INFINITY,
): SearchArea[] {
  const within = areas.filter(({ slug }) => place.areas.includes(slug))
  const [first] = within
  if (!first) return []
  const origin = place.origin ?? middleOf(within)
  const sharing = (key: 'city' | 'country') => {
    const values = new Set(within.map((area) => area[key]))
    return areas.filter((area) => values.has(area[key]))
  }
  const countryOf = [...new Set(within.map(({ country }) => regionName(country)))].join(', ')
  const cityOf = [...new Set(within.map(({ city }) => city))].join(', ')
  const isWithinReach = (area: AreaRow) => kilometres(area, origin) <= reachKm
  const near = nearestAreas(
    origin,
    areas.filter((area) => !within.includes(area)),
  )
  const wider = [
    placeOf(cityOf, sharing('city')),
    { ...placeOf(near.map(({ name }) => name).join(', '), near), where: `near ${place.name}` },
    {
      ...placeOf(countryOf, sharing('country').filter(isWithinReach)),
      ...(reachKm < Number.POSITIVE_INFINITY && { where: `within ${reachKm} km` }),
    },
  ]
  return wider
    .filter(({ areas: wide }) => wide.some((slug) => !place.areas.includes(slug)))
    .map((one) => ({ ...one, origin }))
}

const NEIGHBOURS = 4
/** Nobody travels further for a dish, a class or a massage. */
export const REACH_KM = 150

const nearestAreas = (origin: LatLng, areas: readonly AreaRow[]): AreaRow[] =>
  areas
    .map((area) => ({ area, km: kilometres(area, origin) }))
    .filter(({ km }) => km <= REACH_KM)
    .sort((one, other) => one.km - other.km)
    .slice(0, NEIGHBOURS)
    .map(({ area }) => area)

function middleOf(areas: readonly AreaRow[]): LatLng {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    latitude: mean(areas.map(({ latitude }) => latitude)),
    longitude: mean(areas.map(({ longitude }) => longitude)),
  }
}

/** True for latitudes and, near the equator, for longitudes, as in the order of venues. */
export const KM_PER_DEGREE = 111.2

const EARTH_KM = 6371

/** Along a great circle (haversine). */
export function kilometres(one: LatLng, other: LatLng): number {
  const radians = (degrees: number) => degrees * (Math.PI / 180)
  const north = Math.sin(radians(one.latitude - other.latitude) / 2)
  const east = Math.sin(radians(one.longitude - other.longitude) / 2)
  const shrunk = Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude))
  return 2 * EARTH_KM * Math.asin(Math.sqrt(north ** 2 + shrunk * east ** 2))
}

/** The single time zone of these areas; undefined if they have several. */
export function timezoneOf(
  slugs: readonly string[],
  areas: readonly AreaRow[],
): string | undefined {
  const zones = new Set(
    areas.filter(({ slug }) => slugs.includes(slug)).map(({ timezone }) => timezone),
  )
  const [zone] = zones
  return zones.size === 1 ? zone : undefined
}
