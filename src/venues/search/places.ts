import type { AreaRow } from '../../availability/store/areas.ts'
import type { LatLng } from '../store/venue-scopes.ts'
import { landmarks } from './landmarks.ts'
import { cityNames, countryNames } from './place-names.ts'

/** A place to search: an area, those of a city, island or country, or those around a landmark. */
export type SearchArea = {
  name: string
  areas: readonly string[]
  /** how a sentence says it: "in Ubud", "near Tanah Lot" */
  where: string
  /** the landmark to be near; the place then has its areas and its name */
  landmark: string | null
  /** where distances are measured from; null orders each area from its own centre */
  origin: LatLng | null
}

/** A place and everything that it is called. */
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

/** Every place of a network. Of equal names, areas prevail over cities, cities over aliases. */
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

const AROUND_KM = 20

function namedLandmarks(areas: readonly AreaRow[]): NamedArea[] {
  return landmarks.flatMap(({ names, area, latitude, longitude }) => {
    const home = areas.find(({ slug }) => slug === area)
    const [name] = names
    if (!home || !name) return []
    const around = areas.filter(
      (one) => one === home || kilometres(one, { latitude, longitude }) < AROUND_KM,
    )
    const origin = { latitude, longitude }
    return [
      {
        names,
        place: { ...placeOf(home.name, around), where: `near ${name}`, landmark: name, origin },
      },
    ]
  })
}

/** Wider places to try: the city or island, the nearest areas, the country. */
export function areasAround(place: SearchArea, areas: readonly AreaRow[]): SearchArea[] {
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
  const near = nearestAreas(
    origin,
    areas.filter((area) => !within.includes(area)),
  )
  const wider = [
    placeOf(cityOf, sharing('city')),
    { ...placeOf(near.map(({ name }) => name).join(', '), near), where: `near ${place.name}` },
    placeOf(countryOf, sharing('country')),
  ]
  return wider
    .filter(({ areas: wide }) => wide.some((slug) => !place.areas.includes(slug)))
    .map((one) => ({ ...one, origin }))
}

const NEIGHBOURS = 4
const NEIGHBOURS_KM = 150

const nearestAreas = (origin: LatLng, areas: readonly AreaRow[]): AreaRow[] =>
  areas
    .map((area) => ({ area, km: kilometres(area, origin) }))
    .filter(({ km }) => km <= NEIGHBOURS_KM)
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

/** On the globe, and near the equator on the map that venues are ordered by. */
export const KM_PER_DEGREE = 111.2

/** Good to a percent over the distances between neighbours. */
export function kilometres(one: LatLng, other: LatLng): number {
  const latitude = ((one.latitude + other.latitude) / 2) * (Math.PI / 180)
  const east = (one.longitude - other.longitude) * Math.cos(latitude)
  return Math.hypot(east, one.latitude - other.latitude) * KM_PER_DEGREE
}

/** The one time zone of these areas; undefined where they have several. */
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
