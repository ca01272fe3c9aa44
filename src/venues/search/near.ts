import { selectOptionalVenue } from '../../availability/store/venues.ts'
import { kilometres } from '../../base/distance.ts'
import { refuse } from '../../base/errors.ts'
import { plainWords } from '../../base/plain-text.ts'
import type { Db } from '../../platform/database/sql.ts'
import { type NamedSpot, selectNamedSpots } from '../store/venue-names.ts'
import type { LatLng } from '../store/venue-scopes.ts'
import { findPlace, type Lexicon } from './lexicon.ts'
import { centreOf, placeNear, type SearchArea, withRadius } from './places.ts'
import { negations } from './stop-lexicon.ts'
import { worldPlaces } from './world-places.ts'

/** Where to search around, as a caller states it. */
export type Around = { near?: string | undefined; radius_km?: number | undefined }

const number = '(\\d{1,5}(?:[.,]\\d{1,2})?)'
const radiusPattern = new RegExp(
  `\\b(?:with?in|dalam|radius|less than|kurang dari|max|maks) (?:a |radius |jarak )*${number} ?` +
    '(km|kilomet(?:er|re)s?|kilo|m|met(?:er|re)s?|mi|miles?)\\b(?: radius)?' +
    '(?: (?:of|from|around|to|near|dari))?(?! (?:walk|drive))',
)

/** Reads "within 2 km of" as "near", with a radius. */
export function readRadius(text: string): { text: string; radiusKm: number | null } {
  const match = radiusPattern.exec(text)
  if (!match) return { text, radiusKm: null }
  const [all, amount = '', unit = ''] = match
  const perUnit = unit.startsWith('k') ? 1 : unit.startsWith('mi') ? 1.61 : 0.001
  const km = Number((Number(amount.replace(',', '.')) * perUnit).toFixed(2))
  return km > 0 && km <= MAX_RADIUS_KM
    ? { text: text.replace(all, 'near'), radiusKm: km }
    : { text, radiusKm: null }
}

/** Nobody goes further for a table or a massage; larger circles would cover whole countries. */
export const MAX_RADIUS_KM = 100

const nearPattern = /\b(?:near(?:by|est)?(?: to)?|close to|next to|around|dekat|sekitar) (.+)$/
const MAX_WORDS = 8

/** A venue that a query wants to be near, and the words for it. */
export type NearVenue = { words: string; spots: readonly NamedSpot[] }

/** The venue after "near": the longest run of words that is a venue's name and not just kinds. */
export async function findNearVenue(
  db: Db,
  text: string,
  { words: known, isTest }: Lexicon,
): Promise<NearVenue | undefined> {
  const after = nearPattern.exec(text)?.[1]
  if (after === undefined) return undefined
  const words = plainWords(after).slice(0, MAX_WORDS)
  const names = words
    .map((_, index) => words.slice(0, index + 1))
    .filter((run) => run.some((word) => !known.has(word)))
    .map((run) => run.join(' '))
  if (names.length === 0) return undefined
  const spots = await selectNamedSpots(db, names, isTest)
  const longest = Math.max(...spots.map(({ plain_name }) => plain_name.length))
  const named = spots.filter(({ plain_name }) => plain_name.length === longest)
  return named[0] && { words: named[0].plain_name, spots: named }
}

const notPattern = new RegExp(`\\b(?:${negations.join('|')})(?: (?:at|in|the|di))* (?=\\S)`, 'g')
const conjunctions = new Set(['and', 'or', 'nor', 'dan', 'atau', 'not', 'the', 'at'])

/** The venues that a query names after a negation, and the text without them. */
export async function findVenuesNotWanted(
  db: Db,
  text: string,
  { words: known, isTest }: Lexicon,
): Promise<{ names: string[]; text: string }> {
  const lists = [...text.matchAll(notPattern)].map(({ index, 0: not }) => ({
    not,
    words: plainWords(text.slice(index + not.length)).slice(0, 2 * MAX_WORDS),
  }))
  const runs = lists.flatMap(({ words }) =>
    words.flatMap((_, at) =>
      words.slice(at, at + MAX_WORDS).map((__, n) => words.slice(at, at + n + 1)),
    ),
  )
  const names = runs
    .filter((run) => run.length > 1 || run.some((word) => !known.has(word)))
    .map((run) => run.join(' '))
  const spots = names.length > 0 ? await selectNamedSpots(db, names, isTest) : []
  const found = [...new Set(spots.map(({ plain_name }) => plain_name))]
  if (found.length === 0) return { names: [], text }
  const all = lists.map(({ not, words }) => ({ not, words, ...namesFrom(words, found) }))
  const rest = all.reduce((before, { not, words, end }) => {
    const phrase = [not.trim(), ...words.slice(0, end)].join(' ').replaceAll(' ', BETWEEN)
    return end > 0 ? before.replace(new RegExp(`${phrase}(?!\\p{L})`, 'u'), ' ') : before
  }, text)
  return { names: all.flatMap((one) => one.names), text: rest }
}

const BETWEEN = '[^\\p{L}\\p{N}]+'

/** The names that are listed from the first word on, and where the list ends. */
function namesFrom(words: readonly string[], found: readonly string[]) {
  const names: string[] = []
  let end = 0
  for (let at = 0; ; ) {
    const rest = `${words.slice(at).join(' ')} `
    const [name] = found
      .filter((one) => rest.startsWith(`${one} `))
      .sort((one, other) => other.length - one.length)
    if (!name) return { names, end }
    names.push(name)
    end = at + name.split(' ').length
    at = end
    while (conjunctions.has(words[at] ?? '')) at += 1
  }
}

/** Venues of one name that are further apart than this are different places. */
const SAME_KM = 1

/** The only place of a name, preferably in these areas; undefined if there are several. */
export function oneSpot(spots: readonly NamedSpot[], areas: readonly string[] | null) {
  const inside = spots.filter(({ area_slug }) => areas?.includes(area_slug))
  const [first, ...others] = inside.length > 0 ? inside : spots
  return first && others.every((one) => kilometres(first, one) < SAME_KM) ? first : undefined
}

const coordinates = /^(-?\d{1,3}(?:\.\d+)?)\s*[,; ]\s*(-?\d{1,3}(?:\.\d+)?)$/

/** The place that `near` means: coordinates, a venue by id, slug or name, a landmark or a place. */
export async function placeOfNear(db: Db, lexicon: Lexicon, near: string): Promise<SearchArea> {
  const { areas, isTest } = lexicon
  const at = (name: string, point: LatLng) => {
    const place = placeNear(name, point, areas)
    if (place) return place
    throw refused('this network has no venues yet')
  }
  const [, latitude, longitude] = (coordinates.exec(near.trim()) ?? []).map(Number)
  if (latitude !== undefined && longitude !== undefined) {
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) {
      return at(near.trim(), { latitude, longitude })
    }
    throw refused('expected latitude (-90 to 90), longitude (-180 to 180); are they swapped?')
  }
  const venue = await selectOptionalVenue(db, near, isTest)
  if (venue) return at(venue.name, venue)
  const place = findPlace(lexicon, near)
  if (place) return place.origin ? place : at(place.name, centreOf(place.areas, areas))
  const plain = plainWords(near).join(' ')
  const spots = await selectNamedSpots(db, [plain], isTest)
  const spot = oneSpot(spots, null)
  if (spot) return at(spot.name, spot)
  if (spots.length > 1) throw refused(`several venues have this name: ${namesOf(spots)}`)
  const [town] = worldPlaces(plain)
  if (town) return at(town.name, town)
  throw refused('expected a venue (id, slug or name), a landmark, a place or "latitude, longitude"')
}

const MAX_NAMES = 5

/** Venues of one name as a caller can name them: by slug, with their area. */
export const namesOf = (spots: readonly NamedSpot[]): string =>
  spots
    .slice(0, MAX_NAMES)
    .map(({ slug, area }) => `${slug} (${area})`)
    .join(', ')

const refused = (detail: string) =>
  refuse('invalid_request', `\`near\`: ${detail}.`, { errors: [{ pointer: '/near', detail }] })

/** A place with the requested radius, measured from its centre if it is an area. */
export function inRadius(
  place: SearchArea,
  radiusKm: number | null,
  { areas }: Lexicon,
): SearchArea {
  if (radiusKm === null || place.origin) return withRadius(place, radiusKm)
  return placeNear(place.name, centreOf(place.areas, areas), areas, radiusKm) ?? place
}
