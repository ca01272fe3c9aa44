import timezoneAt from '@photostructure/tz-lookup'
import type { AreaRow } from '../../availability/store/areas.ts'
import { kilometres } from '../../base/distance.ts'
import { plainWords } from '../../base/plain-text.ts'
import { quoted } from '../../contract/safe-text.ts'
import { countryCurrencies } from '../search/world-places.ts'
import type { LatLng } from '../store/venue-scopes.ts'
import { TOWN_KM, type Town, townAt, townsNamed } from './towns.ts'

/** Maximum distance from the centre of an area that a venue names. */
const NAMED_KM = 30

/** The areas of a network, to which towns are added as venues need them. */
export type Areas = { find: (name: string | undefined, point: LatLng) => FoundArea }
type FoundArea = AreaRow | { problem: string }

/** Finds the areas of venues among those that exist and the towns of the gazetteer. */
export function areasOf(rows: readonly AreaRow[]): Areas {
  const bySlug = new Map(rows.map((area) => [area.slug, area]))
  const finer = rows.filter(({ radius_km }) => radius_km !== null)
  const furthest = Math.max(...finer.map(({ radius_km }) => radius_km ?? 0))
  const byName = Map.groupBy(
    rows.flatMap((area) =>
      [...new Set([area.slug, area.name, ...area.aliases].map(plainOf))].map((name) => ({
        name,
        area,
      })),
    ),
    ({ name }) => name,
  )
  /** The area of a town; one with the same name in the same place is the town. */
  const areaOf = (town: Town, wanted?: string): AreaRow => {
    const slugs = slugsOf(town)
    // An export names the slug that another network gave to the town.
    const isFree = wanted !== undefined && slugs.includes(wanted) && !bySlug.has(wanted)
    const known = slugs.find((one) => bySlug.has(one) && isSamePlace(bySlug.get(one) ?? town, town))
    const free = slugs.find((one) => !bySlug.has(one)) ?? ''
    const slug = known ?? (isFree ? wanted : free)
    const area = bySlug.get(slug) ?? newArea(town, slug)
    bySlug.set(slug, area)
    return area
  }
  const named = (name: string, point: LatLng): FoundArea => {
    const known = (byName.get(plainOf(name)) ?? []).map(({ area }) => area)
    const [match] = nearestFirst(known, point)
    if (match && match.km <= NAMED_KM) return match.area
    const here = townAt(point)
    const [town] = here && slugsOf(here).includes(name) ? [here] : townsNamed(name, point)
    if (town && kilometres(town, point) <= NAMED_KM) return areaOf(town, name)
    if (match) return { problem: farText(point, match) }
    const near = nearestFirst(rows, point).slice(0, 3).map(shown)
    const others = near.length > 0 ? `near the venue are ${near.join(', ')}` : 'leave it out'
    return { problem: `area: ${quoted(name)} is not known; ${others}` }
  }
  return {
    find(name, point) {
      const town = townAt(point)
      if (!town || isAtSea(point)) return { problem: nowhereText(point) }
      if (name !== undefined) return named(name, point)
      const [area] = nearestFirst(finer, point, furthest).filter(
        ({ area: { radius_km }, km }) => km <= (radius_km ?? 0),
      )
      return area?.area ?? areaOf(town)
    },
  }
}

const plainOf = (name: string) => plainWords(name).join(' ')

/** Time zones of the open sea are named by their offset from UTC. */
const isAtSea = ({ latitude, longitude }: LatLng): boolean =>
  timezoneAt(latitude, longitude).startsWith('Etc/')

const isSamePlace = (one: LatLng & { country: string }, other: Town): boolean =>
  one.country === other.country && kilometres(one, other) <= NAMED_KM

/** Possible slugs for a town, the plainest first; most town names are unique. */
function slugsOf({ name, country, region, latitude, longitude }: Town): string[] {
  const slugOf = (text: string) =>
    plainWords(text)
      .join('-')
      .replace(/[^a-z0-9-]/g, '')
  const slug = slugOf(name) || 'town'
  const inCountry = `${slug}-${country.toLowerCase()}`
  const at = [latitude, longitude].map((degrees) => Math.round((degrees + 360) * 100)).join('-')
  return [slug, inCountry, slugOf(`${name} ${region ?? at}`), `${inCountry}-${at}`]
}

/** Aliases take part in every search, so they include only names that no other town has. */
const newArea = (town: Town, slug: string): AreaRow => ({
  slug,
  name: town.name,
  aliases: town.names.filter((name) => name !== plainOf(town.name)),
  city: town.name,
  city_aliases: [],
  region: town.region,
  country: town.country,
  timezone: timezoneAt(town.latitude, town.longitude),
  currency: currencyOf(town.country),
  latitude: town.latitude,
  longitude: town.longitude,
  radius_km: null,
  landmarks: [],
})

/** The currency of a country of the gazetteer. */
const currencyOf = (country: string): string => countryCurrencies.get(country) ?? 'USD'

/** A finer area's zone, country, region and city; undefined if its centre is far from any town. */
export function surroundingsOf(point: LatLng) {
  const town = townAt(point)
  if (!town || isAtSea(point)) return undefined
  const { name: city, names: city_aliases, region, country } = town
  const timezone = timezoneAt(point.latitude, point.longitude)
  return { city, city_aliases, region, country, timezone, currency: currencyOf(country) }
}

/** Says that no town is near, and where the venue would be with its coordinates swapped. */
export function nowhereText(point: LatLng): string {
  const swapped = { latitude: point.longitude, longitude: point.latitude }
  const isPlace = Math.abs(swapped.latitude) <= 90 && !isAtSea(swapped)
  const meant = isPlace ? townAt(swapped) : undefined
  const hint = meant ? `; swapped, they would be in ${meant.name}, ${meant.country}` : ''
  const far = `more than ${TOWN_KM} km from any town`
  const where = isAtSea(point) ? 'in the sea' : `in the sea, or ${far}`
  return `latitude, longitude: ${point.latitude}, ${point.longitude} is ${where}${hint}`
}

type NearArea = { area: AreaRow; km: number }

const farText = ({ latitude, longitude }: LatLng, { area, km }: NearArea) =>
  `latitude, longitude: ${latitude}, ${longitude} is too far from ${area.name}, ` +
  `${said(km)} (at most ${NAMED_KM} km): in the sea or another region`

const shown = ({ area, km }: NearArea) => `${area.slug} (${said(km)})`
const said = (km: number) => `${km < 10 ? km.toFixed(1) : Math.round(km)} km away`

const KM_PER_DEGREE = 111
const nearestFirst = (areas: readonly AreaRow[], point: LatLng, within = 30_000): NearArea[] =>
  areas
    .filter(({ latitude }) => Math.abs(latitude - point.latitude) * KM_PER_DEGREE <= within)
    .map((area) => ({ area, km: kilometres(area, point) }))
    .sort((one, other) => one.km - other.km)
