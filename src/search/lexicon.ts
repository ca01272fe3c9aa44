import { wordsOf } from '../model/plain-text.ts'
import { type Category, categories } from '../model/rules.ts'
import { type AreaRow, selectAreas } from '../store/areas.ts'
import type { Db } from '../store/sql.ts'
import { countryNames, impliedKinds, kindWords, stopWords } from './vocabulary.ts'

/** Somewhere to search: an area, or all areas of a city, an island or a country. */
export type Place = { name: string; areas: readonly string[] }

/** What a phrase of a query means. `implied` kinds are searched for as words too. */
export type Meaning =
  | { is: 'kind'; category: Category; implied: boolean }
  | { is: 'place'; place: Place }
  | { is: 'nothing' }

/** Everything that search understands: data, so that languages and landmarks are more of the same. */
export type Lexicon = {
  /** by the phrase in plain words, separated by spaces */
  meanings: ReadonlyMap<string, Meaning>
  /** words of the longest phrase */
  longest: number
  areas: readonly AreaRow[]
}

/** Where two meanings share a phrase the later one here wins: an area before its city, a place before a kind. */
export function buildLexicon(areas: readonly AreaRow[]): Lexicon {
  const meanings = new Map<string, Meaning>()
  const learn = (phrase: string, meaning: Meaning) => {
    const words = wordsOf(phrase)
    if (words.length > 0) meanings.set(words.join(' '), meaning)
  }
  for (const word of stopWords) learn(word, { is: 'nothing' })
  for (const category of categories) {
    for (const word of impliedKinds[category]) learn(word, { is: 'kind', category, implied: true })
    for (const word of kindWords[category]) learn(word, { is: 'kind', category, implied: false })
  }
  for (const { names, place } of placesOf(areas)) {
    for (const name of names) learn(name, { is: 'place', place })
  }
  const longest = Math.max(...[...meanings.keys()].map((phrase) => phrase.split(' ').length))
  return { meanings, longest, areas }
}

/** From the widest to the narrowest, each with everything that it is called. */
function placesOf(areas: readonly AreaRow[]): { names: readonly string[]; place: Place }[] {
  const slugs = (of: readonly AreaRow[]) => of.map(({ slug }) => slug)
  const countries = [...Map.groupBy(areas, ({ country }) => country)].map(([code, within]) => {
    const names = countryNames[code] ?? [code]
    return { names, place: { name: regionName(code), areas: slugs(within) } }
  })
  const cities = [...Map.groupBy(areas, ({ city }) => city)].map(([name, within]) => ({
    names: [name],
    place: { name, areas: slugs(within) },
  }))
  const single = areas.map(({ slug, name, aliases }) => ({
    names: [slug, name, ...aliases],
    place: { name, areas: [slug] },
  }))
  return [...countries, ...cities, ...single]
}

const regions = new Intl.DisplayNames('en', { type: 'region' })
const regionName = (code: string) => regions.of(code) ?? code

/** The place with this name, alias or slug. */
export function findPlace(lexicon: Lexicon, name: string): Place | undefined {
  const meaning = lexicon.meanings.get(wordsOf(name).join(' '))
  return meaning?.is === 'place' ? meaning.place : undefined
}

/** The lexicon of the areas that the network has now. */
export const loadLexicon = async (db: Db): Promise<Lexicon> => buildLexicon(await selectAreas(db))

/** A lexicon that is read again when it is older than `ttlMs`; whoever asks meanwhile shares that reading. */
export function cachedLexicon(db: Db, ttlMs: number): () => Promise<Lexicon> {
  let reading: Promise<Lexicon> | undefined
  let readAt = 0
  return () => {
    if (reading && Date.now() - readAt < ttlMs) return reading
    readAt = Date.now()
    const next = loadLexicon(db)
    reading = next
    next.catch(() => {
      if (reading === next) reading = undefined
    })
    return next
  }
}
