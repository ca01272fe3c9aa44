import type { Services } from '../../contract/operation.ts'
import type { LexiconServices } from '../search/lexicon.ts'
import { findArea } from '../search/lexicon.ts'
import { type AreaSize, selectRecentSizes } from '../store/network-size.ts'

/** A place with venues: `query` is the parameter that lists them. */
export type PublicArea = { name: string; query: string; venues: number }

/** How many bookable venues, areas and countries there are. */
export type NetworkSize = { venues: number; areas: number; countries: number }

/** The size of the network, at most a few minutes old. */
export async function readNetworkSize({ db }: Pick<Services, 'db'>): Promise<NetworkSize> {
  const areas = await selectRecentSizes(db)
  return {
    venues: areas.reduce((sum, { venues }) => sum + venues, 0),
    areas: areas.length,
    countries: new Set(areas.map(({ country }) => country)).size,
  }
}

/** Area names to use in queries, busiest first. */
export async function readAreaNames(
  { db }: Pick<Services, 'db'>,
  limit: number,
): Promise<string[]> {
  const areas = await selectRecentSizes(db)
  const byVenues = areas.toSorted((one, other) => other.venues - one.venues).slice(0, limit)
  return byVenues.map(({ name }) => name).toSorted()
}

/** The areas of a city or country, or all cities; empty for a single area or an unknown name. */
export async function readAreasWithin(
  { db, lexicon }: Pick<Services, 'db'> & LexiconServices,
  name: string | undefined,
): Promise<PublicArea[]> {
  const sizes = await selectRecentSizes(db)
  if (name === undefined) return citiesOf(sizes)
  const place = findArea(await lexicon(), name)
  const within = sizes.filter(({ slug }) => place?.areas.includes(slug))
  if (within.length < 2) return []
  const isOneCity = new Set(within.map(({ city }) => city)).size === 1
  return isOneCity
    ? within.map(({ name, slug, venues }) => ({ name, query: slug, venues }))
    : citiesOf(within)
}

/** A page with every town of a large network would be unreadable. */
const MAX_LISTED = 100

/** The busiest cities, in the order of the areas. */
function citiesOf(areas: readonly AreaSize[]): PublicArea[] {
  const cities = [...Map.groupBy(areas, ({ city }) => city)].map(([city, within]) => ({
    name: city,
    query: city,
    venues: within.reduce((sum, area) => sum + area.venues, 0),
  }))
  const busiest = cities.toSorted((one, other) => other.venues - one.venues).slice(0, MAX_LISTED)
  return cities.filter((city) => busiest.includes(city))
}
