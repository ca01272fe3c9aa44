import type { AreaRow } from '../../availability/store/areas.ts'
import { kilometres } from '../../base/distance.ts'
import type { LatLng } from '../store/venue-scopes.ts'
import { countryNames } from './world-places.ts'

/** Where to search: one area, the areas of a city, island or country, or those near a landmark. */
export type SearchArea = {
  name: string
  areas: readonly string[]
  /** the phrase for use in a sentence: "in Ubud", "near Tanah Lot" */
  where: string
  /** the landmark to search near; the place then has the landmark's areas and name */
  landmark: string | null
  /** the origin of distances; null measures from the centre of each venue's area */
  origin: LatLng | null
  /** how far from the origin venues may be, whatever their area; null searches the areas */
  radiusKm: number | null
}

/** A place with all its names. `isTown`: its spelling is the gazetteer's, not the operator's. */
export type NamedArea = { names: readonly string[]; place: SearchArea; isTown?: boolean }

const placeOf = (name: string, areas: readonly AreaRow[]): SearchArea => ({
  name,
  areas: areas.map(({ slug }) => slug),
  where: `in ${name}`,
  landmark: null,
  origin: null,
  radiusKm: null,
})

const regions = new Intl.DisplayNames('en', { type: 'region' })
const regionName = (code: string) => regions.of(code) ?? code

/**
 * Every place in a network. Among equal names, areas prevail over cities, cities over regions, and
 * these over aliases; the operator's names prevail over those of the gazetteer.
 */
export function namedAreas(areas: readonly AreaRow[]): NamedArea[] {
  const countries = [...Map.groupBy(areas, ({ country }) => country)].map(([code, within]) => ({
    names: countryNames.get(code) ?? [regionName(code)],
    place: placeOf(regionName(code), within),
  }))
  const groups = (key: 'city' | 'region', of: readonly AreaRow[], isTown: boolean) =>
    [...Map.groupBy(of, (area) => area[key])].flatMap(([name, within]) => {
      if (name === null) return []
      const others = key === 'city' ? within.flatMap((area) => area.city_aliases) : []
      // An operator's "Bali" or "Bangkok" also includes the towns of that island or city.
      const isWithin = ({ city, region, country }: AreaRow) =>
        (city === name || region === name) && country === within[0]?.country
      const all = isTown ? within : areas.filter(isWithin)
      return [{ names: [name, ...others], place: placeOf(name, all), isTown }]
    })
  const [towns, finer] = [areas.filter(isTown), areas.filter((area) => !isTown(area))]
  const named = (of: readonly AreaRow[], isTown: boolean) => {
    const single = of.map((area) => ({ area, place: placeOf(area.name, [area]), isTown }))
    return [
      ...single.map(({ area, ...one }) => ({ ...one, names: area.aliases })),
      ...groups('region', of, isTown),
      ...groups('city', of, isTown),
      ...single.map(({ area, ...one }) => ({ ...one, names: [area.slug] })),
      // Towns of one name are searched together unless the query names a region or country.
      ...[...Map.groupBy(of, ({ name }) => name)].map(([name, within]) => ({
        names: [name],
        place: placeOf(name, within),
        isTown,
      })),
    ]
  }
  return [...named(towns, true), ...namedLandmarks(areas), ...countries, ...named(finer, false)]
}

const isTown = ({ radius_km }: AreaRow) => radius_km === null

/** The airports of a network, each a place to search near. */
export const airports = (areas: readonly AreaRow[]): SearchArea[] =>
  namedLandmarks(areas)
    .map(({ place }) => place)
    .filter(({ landmark }) => landmark?.endsWith(' Airport'))
    .sort((one, other) => (one.landmark ?? '').localeCompare(other.landmark ?? ''))

/** The greatest distance that "near" can mean; searches that look further say so. */
const AROUND_KM = 10
/** Areas within 25 % of the nearest one's distance count as equally near. */
const ABOUT_AS_FAR = 1.25

function namedLandmarks(areas: readonly AreaRow[]): NamedArea[] {
  return areas.flatMap((home) =>
    home.landmarks.flatMap(({ names, latitude, longitude }) => {
      const [name] = names
      if (!name) return []
      return [{ names, place: placeAround(name, { latitude, longitude }, home, areas) }]
    }),
  )
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
  const around = areas.filter(
    (one) => one === home || (isAbout(one, origin, reach) && kilometres(one, origin) < reach),
  )
  return { ...placeOf(home.name, around), where: `near ${name}`, landmark: name, origin }
}

/** The area nearest to a point, and the distance to its centre in kilometres. */
export function nearestArea(
  at: LatLng,
  areas: readonly AreaRow[],
): { area: AreaRow; km: number } | undefined {
  let nearest: { area: AreaRow; km: number } | undefined
  for (const area of areas) {
    const km = kilometres(area, at)
    if (!nearest || km < nearest.km) nearest = { area, km }
  }
  return nearest
}

/** A named point as the centre of a search, perhaps with a radius. */
export function placeNear(
  name: string,
  at: LatLng,
  areas: readonly AreaRow[],
  radiusKm: number | null = null,
): SearchArea | null {
  const nearest = nearestArea(at, areas)
  return nearest ? withRadius(placeAround(name, at, nearest.area, areas), radiusKm) : null
}

/** The same place, limited to venues within this radius. */
export const withRadius = (place: SearchArea, radiusKm: number | null): SearchArea =>
  radiusKm === null || !place.origin
    ? place
    : { ...place, radiusKm, where: `within ${radiusKm} km of ${place.landmark ?? place.name}` }

/** Wider places to try: the city or island, the nearest areas, the country within reach. */
export function areasAround(
  place: SearchArea,
  areas: readonly AreaRow[],
  reachKm = Number.POSITIVE_INFINITY,
): SearchArea[] {
  const slugs = new Set(place.areas)
  const within = areas.filter(({ slug }) => slugs.has(slug))
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
    areas.filter(({ slug }) => !slugs.has(slug)),
  )
  const nearby = { ...place, where: `near ${place.landmark ?? place.name}`, radiusKm: null }
  const wider = [
    ...(place.radiusKm === null ? [] : [nearby]),
    placeOf(cityOf, sharing('city')),
    { ...placeOf(near.map(({ name }) => name).join(', '), near), where: `near ${place.name}` },
    {
      ...placeOf(countryOf, sharing('country').filter(isWithinReach)),
      ...(reachKm < Number.POSITIVE_INFINITY && { where: `within ${reachKm} km` }),
    },
  ]
  return wider
    .filter((one) => one === nearby || one.areas.some((slug) => !slugs.has(slug)))
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

/** The centre of some areas. */
export function centreOf(slugs: readonly string[], areas: readonly AreaRow[]): LatLng {
  const wanted = new Set(slugs)
  return middleOf(areas.filter(({ slug }) => wanted.has(slug)))
}

function middleOf(areas: readonly AreaRow[]): LatLng {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    latitude: mean(areas.map(({ latitude }) => latitude)),
    longitude: mean(areas.map(({ longitude }) => longitude)),
  }
}

/** Whether two points have about the same latitude: rules out most, at a tenth of the cost. */
export const isAbout = (one: LatLng, other: LatLng, km: number): boolean =>
  Math.abs(one.latitude - other.latitude) * KM_PER_DEGREE <= km

/** True for latitudes and, near the equator, for longitudes, as in the order of venues. */
export const KM_PER_DEGREE = 111.2

/** The single time zone of these areas; undefined if they have several. */
export function timezoneOf(
  slugs: readonly string[],
  areas: readonly AreaRow[],
): string | undefined {
  const wanted = new Set(slugs)
  const zones = new Set(
    areas.filter(({ slug }) => wanted.has(slug)).map(({ timezone }) => timezone),
  )
  const [zone] = zones
  return zones.size === 1 ? zone : undefined
}
