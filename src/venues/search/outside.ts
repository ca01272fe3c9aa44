import type { AreaRow } from '../../availability/store/areas.ts'
import { kilometres } from '../../base/distance.ts'
import { plainWords } from '../../base/plain-text.ts'
import type { LatLng } from '../store/venue-scopes.ts'
import { isProperty } from './clauses.ts'
import type { Lexicon } from './lexicon.ts'
import type { ParsedQuery } from './parse-query.ts'
import { isAbout, placeNear, type SearchArea } from './places.ts'
import { noPlaces } from './stop-lexicon.ts'
import { isMisspelt, isMisspeltPlace } from './typo-candidates.ts'
import { isCommonWord, otherKind, type WorldPlace, worldPlaces } from './world-places.ts'

/** The places and kinds in a query that the network lacks. */
export type Outside = {
  /** a place outside the network; `at` is null if no list of places contains it */
  place: { name: string; at: LatLng | null } | null
  /** kinds of venue and services, in the query's words */
  kinds: readonly string[]
}

/** A place that the lexicon lacks, its words, and the covered area around it. */
type FoundPlace = { phrase: string; place: WorldPlace; within: SearchArea | null }

/** Words of a query, and their known meanings. */
type OutsideQuery = {
  words: readonly string[]
  /** words with no known meaning */
  unknown: readonly string[]
  lexicon: Lexicon
  isAtVenues: (word: string) => boolean
}

const LONGEST = 4
/** A place closer than this to the centre of an area belongs to it. */
const WITHIN_KM = 6
/** Among equal names, prefers a place in a covered area unless it is much smaller. */
const NOT_MUCH_SMALLER = 0.2

const inWords = new Set(['in', 'di'])
const onWords = new Set([...inWords, 'on'])
const nearWords = new Set(['near', 'around', 'dekat', 'sekitar', 'ke'])

/** What a query wants that the network lacks, and the phrases for it. */
export function findOutside(
  words: readonly string[],
  { place, landmark, category, either, isHinted, unknown }: ParsedQuery,
  lexicon: Lexicon,
  isAtVenues: (word: string) => boolean,
) {
  const query = { words, unknown, lexicon, isAtVenues }
  const hasKind = either.length > 0 || (category !== null && !isHinted)
  const kinds = findOtherKinds(query, hasKind)
  const match = landmark ? undefined : findPlace(query, place)
  const isElsewhere = match !== undefined && !match.within && !place
  return {
    kinds,
    place: isElsewhere ? { name: match.place.name, at: match.place } : null,
    within: match?.within ?? null,
    /** a place overridden by one of the network, as in "Rome style pizza in Ubud" */
    ignored: match && place && !match.within ? match.phrase.split(' ') : [],
    phrases: [...(match ? [match.phrase] : []), ...kinds],
  }
}

/** The place in the world that a query names; if it also names a covered place, one inside that. */
function findPlace(query: OutsideQuery, inside: SearchArea | null): FoundPlace | undefined {
  const { words, isAtVenues, lexicon } = query
  if (inside && words.every(isAtVenues)) return undefined
  const areas = lexicon.areas.filter(({ slug }) => !inside || inside.areas.includes(slug))
  const own = new Set(plainWords(inside?.name ?? ''))
  const matches = windowsOf(query).flatMap(({ phrase, before }) => {
    const places = worldPlaces(phrase)
    const [largest] = places
    // The George of George Town is no other place.
    if (phrase.split(' ').every((word) => own.has(word))) return []
    if (!largest || isOrdinary(phrase, before) || !isMeant(phrase, before, largest, query))
      return []
    const best = bestOf(places, largest, areas)
    const isIgnored = inside && !best.within && largest.people < 50_000
    return isIgnored ? [] : [{ phrase, ...best }]
  })
  // "Kyoto, Japan" means Kyoto.
  return matches.find(({ place }) => place.name.includes(', ')) ?? matches[0]
}

const isOrdinary = (phrase: string, before: string) =>
  noPlaces.has(phrase) && !inWords.has(before) && !nearWords.has(before)

function bestOf(places: readonly WorldPlace[], largest: WorldPlace, areas: readonly AreaRow[]) {
  const near = places.find(
    (place) =>
      place.people >= largest.people * NOT_MUCH_SMALLER &&
      areas.some((area) => isAbout(area, place, WITHIN_KM) && kilometres(area, place) < WITHIN_KM),
  )
  if (!near) return { place: largest, within: null }
  const [name = ''] = near.name.split(', ')
  return { place: near, within: placeNear(name, near, areas) }
}

/** Whether a name means this place: the more likely its other meanings, the larger it must be. */
function isMeant(
  phrase: string,
  before: string,
  { people, name }: WorldPlace,
  query: OutsideQuery,
): boolean {
  const { lexicon, isAtVenues } = query
  const meaning = lexicon.meanings.get(phrase)
  if (meaning?.is === 'place' || isCovered(phrase, name, lexicon)) return false
  if (meaning) return inWords.has(before) && people >= 50_000
  const parts = phrase.split(' ')
  const isCue = inWords.has(before)
  if (parts.every(isCommonWord)) return people >= (isCue ? 50_000 : 500_000)
  if (parts.length === 1 && people < 100_000 && isMisspeltPlace(phrase, lexicon)) return false
  if (isCue || nearWords.has(before)) return true
  if (people < 20_000 && isMisspelt(phrase, lexicon)) return false
  return !parts.every(isAtVenues) || people >= (parts.length > 1 ? 10_000 : 100_000)
}

/** Whether the network covers the place under another spelling, as with Manilla and Djakarta. */
function isCovered(phrase: string, name: string, { afterIn, meanings }: Lexicon): boolean {
  if (afterIn.has(phrase)) return true
  const [town = ''] = name.split(', ')
  return meanings.get(plainWords(town).join(' '))?.is === 'place'
}

/** The place after "in", if its name is unknown. */
export function unknownPlace(
  words: readonly string[],
  { place, landmark }: ParsedQuery,
  nowhere: readonly string[],
): Outside['place'] {
  if (place || landmark) return null
  const isUnknown = (word: string | undefined): word is string =>
    word !== undefined && nowhere.includes(word) && !isCommonWord(word)
  const start = words.findIndex((word, at) => isUnknown(word) && onWords.has(words[at - 1] ?? ''))
  if (start < 0) return null
  const length = words.slice(start).findIndex((word) => !isUnknown(word))
  const name = words.slice(start, length < 0 ? undefined : start + length).join(' ')
  return { name, at: null }
}

/** Phrases for things that the network does not offer. */
function findOtherKinds(query: OutsideQuery, hasKind: boolean): string[] {
  const { words, lexicon, isAtVenues } = query
  const isFree = (phrase: string) => {
    const meaning = lexicon.meanings.get(phrase)
    return !meaning || (meaning.is === 'kind' && meaning.said === 'hinted')
  }
  // "Hotel in Ubud with breakfast" is about a hotel, but a "hotel bar with a view" is not.
  const isMain = (phrase: string) => {
    const isKind = (word: string) => lexicon.meanings.get(word)?.is === 'kind'
    const before = words.slice(0, Math.max(words.findIndex(isProperty), 0))
    return before.join(' ').includes(phrase) && !before.some(isKind)
  }
  const isOther = (phrase: string) => {
    const how = isFree(phrase) ? otherKind(phrase) : undefined
    const isUsed = phrase.split(' ').some(isAtVenues)
    return how === 'name' ? !(hasKind && isUsed) || isMain(phrase) : how === 'term' && !isUsed
  }
  const matches = windowsOf(query)
    .map(({ phrase }) => phrase)
    .filter(isOther)
  return matches.filter((one) => !matches.some((other) => other !== one && other.includes(one)))
}

/**
 * Every run of a few words, longest first, with the word before it. Leaves out runs that search
 * understands, except after "in".
 */
function windowsOf({ words, unknown }: OutsideQuery): { phrase: string; before: string }[] {
  const runs = Array.from({ length: LONGEST }, (_, less) => LONGEST - less).flatMap((length) =>
    words.slice(0, Math.max(0, words.length - length + 1)).map((__, start) => ({
      run: words.slice(start, start + length),
      before: words[start - 1] ?? '',
    })),
  )
  return runs
    .filter(({ run, before }) => inWords.has(before) || run.some((word) => unknown.includes(word)))
    .map(({ run, before }) => ({ phrase: run.join(' '), before }))
}
