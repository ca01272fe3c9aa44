import { isDeepStrictEqual } from 'node:util'
import { type AreaRow, selectAreasWithVenues } from '../../availability/store/areas.ts'
import { plainWords } from '../../base/plain-text.ts'
import type { NeededFact } from '../../base/venue-facts.ts'
import type { Category } from '../../base/venue-kinds.ts'
import type { Context } from '../../contract/operation.ts'
import { createCache } from '../../platform/database/cache.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Term } from '../store/text-query.ts'
import { calendarWords } from './calendar-lexicon.ts'
import { type KindList, kindPhrases, neededFacts, softTerms } from './kinds.ts'
import { together } from './party-lexicon.ts'
import { airports, namedAreas, type SearchArea } from './places.ts'
import { stopPhrases, stopWords } from './stop-lexicon.ts'
import { isCommonWord, worldPlaces } from './world-places.ts'

/** What a phrase in a query means. `term`: an additional search term; `fact`: a needed fact. */
export type Meaning =
  | (Kind & { term?: Term; fact?: NeededFact })
  | { is: 'text'; term: Term }
  | { is: 'fact'; fact: NeededFact }
  | { is: 'place'; place: SearchArea }
  /** landmarks of this name; the place in the query decides between them */
  | { is: 'landmark'; places: readonly SearchArea[] }
  | { is: 'nothing' }

type Kind = { is: 'kind'; category: Category; said: 'outright' | 'implied' | 'hinted' }

/** Everything that search understands, as data: a new language or landmark only adds entries. */
export type Lexicon = {
  /** keyed by the phrase in plain words, separated by spaces */
  meanings: ReadonlyMap<string, Meaning>
  /** places whose names are also kinds or common words, such as Bath; they count only after "in" */
  afterIn: ReadonlyMap<string, Meaning>
  /** number of words in the longest phrase */
  longest: number
  /** every meaningful word, with its weight for choosing what a typo stands for */
  words: ReadonlyMap<string, number>
  areas: readonly AreaRow[]
  /** for sandboxes, which have their own area and venues */
  isTest: boolean
}

const weights = { nothing: 1, text: 2, fact: 2, kind: 2, landmark: 2, place: 3 } as const

/** If two meanings share a phrase, the one learnt later prevails: a place over a kind. */
export function buildLexicon(areas: readonly AreaRow[], isTest = false): Lexicon {
  const meanings = new Map<string, Meaning>()
  const usual = [...calendarWords, ...Object.keys(together)]
  const words = new Map(usual.map((word) => [word, weights.nothing as number]))
  const learn = (phrase: string, meaning: Meaning) => {
    const parts = plainWords(phrase)
    if (parts.length === 0) return
    meanings.set(parts.join(' '), meaning)
    const joined = parts.join('')
    if (parts.length > 1 && !meanings.has(joined)) meanings.set(joined, meaning)
    for (const part of [...parts, joined]) {
      words.set(part, Math.max(words.get(part) ?? 0, weights[meaning.is]))
    }
  }
  for (const word of [...stopWords, ...stopPhrases]) learn(word, { is: 'nothing' })
  learnKinds(learn)
  learnFacts(learn, meanings)
  for (const word of ['airport', 'bandara'])
    learn(word, { is: 'landmark', places: airports(areas) })
  const afterIn = new Map<string, Meaning>()
  for (const { names, place, isTown = false } of namedAreas(areas)) {
    for (const name of names) {
      const plain = plainWords(name).join(' ')
      const isUnclear = isOtherwiseMeant(meanings.get(plain)) || (isTown && isUsualWord(plain))
      if (isUnclear) afterIn.set(plain, { is: 'place', place })
      else learn(name, { is: 'place', place })
    }
  }
  const longest = Math.max(...[...meanings.keys()].map((phrase) => phrase.split(' ').length))
  return { meanings, afterIn, longest, words, areas, isTest }
}

const isOtherwiseMeant = (meaning: Meaning | undefined) => meaning && meaning.is !== 'place'

/** A common word that is not also the name of a big city; Surabaya and Jakarta are both. */
const BIG_CITY = 500_000
const isUsualWord = (word: string) =>
  !word.includes(' ') &&
  isCommonWord(word) &&
  !worldPlaces(word).some(({ people }) => people >= BIG_CITY)

function learnKinds(learn: (phrase: string, meaning: Meaning) => void): void {
  for (const { list, category, phrase, alternatives } of kindPhrases) {
    if (list === 'fact') continue
    const term = alternatives.map((alternative) => plainWords(alternative).join(' '))
    learn(phrase, category ? meaningOf(list, category, term) : { is: 'text', term })
  }
}

/** A fact replaces the words by which it was searched, except a food, which venues often name. */
function learnFacts(
  learn: (phrase: string, meaning: Meaning) => void,
  meanings: ReadonlyMap<string, Meaning>,
): void {
  for (const [phrase, fact] of neededFacts) {
    const earlier = meanings.get(phrase)
    if (earlier?.is !== 'kind') learn(phrase, { is: 'fact', fact })
    else if (!isThing(earlier)) {
      const { is, category, said } = earlier
      learn(phrase, { is, category, said, fact })
    }
  }
}

/** Whether a kind is implied by something that only some of its venues have, such as sushi. */
export const isThing = (meaning: Meaning): boolean =>
  meaning.is === 'kind' && meaning.said === 'implied' && !softTerms.has(meaning.term?.[0] ?? '')

function meaningOf(list: KindList, category: Category, term: Term): Meaning {
  if (list === 'implies') return { is: 'kind', category, said: 'implied', term }
  return { is: 'kind', category, said: list === 'hint' ? 'hinted' : 'outright' }
}

/** The area, city, island or country with this name, alias or slug. */
export function findArea(lexicon: Lexicon, name: string): SearchArea | undefined {
  const place = findPlace(lexicon, name)
  return place?.landmark ? undefined : place
}

/** The area, city, island, country or landmark with this name. */
export function findPlace({ afterIn, meanings }: Lexicon, name: string): SearchArea | undefined {
  const plain = plainWords(name).join(' ')
  const meaning = afterIn.get(plain) ?? meanings.get(plain)
  return meaning?.is === 'place' ? meaning.place : undefined
}

/** The lexicon for the areas that have venues, or the sandbox area; `before` if it is the same. */
export async function loadLexicon(db: Db, isTest = false, before?: Lexicon): Promise<Lexicon> {
  const areas = await selectAreasWithVenues(db, isTest)
  return before && isDeepStrictEqual(before.areas, areas) ? before : buildLexicon(areas, isTest)
}

/** The lexicon, reread when older than `ttlMs`, at most twice as old. */
export function cachedLexicon(db: Db, ttlMs: number): (isTest?: boolean) => Promise<Lexicon> {
  // Nobody waits while thousands of areas are read again.
  const lexicons = createCache<Lexicon>({ max: 2, ttlMs, staleMs: 2 * ttlMs })
  return (isTest = false) =>
    lexicons(db, isTest ? 'sandbox' : 'live', (before) => loadLexicon(db, isTest, before))
}

/** What operations that search by words need. */
export type LexiconServices = { lexicon: (isTest?: boolean) => Promise<Lexicon> }
export type SearchContext = Context<LexiconServices>
