import type { LatLng } from '../store/venue-scopes.ts'
import { readTable } from './read-table.ts'
import { sortedLines } from './sorted-lines.ts'

/** A town, region or country anywhere in the world. */
export type WorldPlace = LatLng & {
  /** as in "Da Nang, Vietnam" */
  name: string
  people: number
}

const lines = sortedLines('places.tsv')
const countries = new Intl.DisplayNames('en', { type: 'region' })
const ofCountries = readTable('countries.tsv', ([code = '', currency = '', names = '']) => ({
  code,
  currency,
  names: names.split('|'),
}))

/** The currency of each country, by ISO 3166-1 alpha-2 code. */
export const countryCurrencies: ReadonlyMap<string, string> = new Map(
  ofCountries.flatMap(({ code, currency }) => (currency ? [[code, currency] as const] : [])),
)

/** Names of countries by their code. */
export const countryNames: ReadonlyMap<string, readonly string[]> = new Map(
  ofCountries.map(({ code, names }) => [code, names]),
)

const LARGE_CITY = 1_000_000

/** "New York" is in GeoNames as New York City. */
const largeCity = (phrase: string) =>
  lines(`${phrase} city`).filter(([, , , people]) => Number(people) >= LARGE_CITY)

/** The places with this plain name, most populous first (GeoNames). */
export const worldPlaces = (phrase: string): WorldPlace[] =>
  [...lines(phrase), ...largeCity(phrase)]
    .map(([country = '', latitude, longitude, people, kind, spelling]) => {
      const name = spelling || phrase.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
      return {
        name: kind === 'country' ? name : `${name}, ${countries.of(country)}`,
        latitude: Number(latitude),
        longitude: Number(longitude),
        people: Number(people || 0),
      }
    })
    .sort((one, other) => other.people - one.people)

const commonWords = sortedLines('common-words.txt')

/** Whether a word occurs in English or Indonesian at least once in 100,000 words (wordfreq). */
export const isCommonWord = (word: string): boolean => commonWords(word).length > 0

const rarerWords = sortedLines('rarer-words.txt')

/** Whether a word occurs in English or Indonesian at least once in 700,000 words (wordfreq). */
export const isWord = (word: string): boolean => isCommonWord(word) || rarerWords(word).length > 0

const otherKinds = sortedLines('other-kinds.tsv')

/**
 * Whether a phrase names a place or service that the network does not offer, such as "hotel": by
 * its `name`, or by a `term` that could mean something else (OpenStreetMap's presets).
 */
export function otherKind(phrase: string): 'name' | 'term' | undefined {
  const [kind] = otherKinds(phrase).concat(
    phrase.endsWith('s') ? otherKinds(phrase.slice(0, -1)) : [],
  )
  return kind && (kind[0] === 'name' ? 'name' : 'term')
}
