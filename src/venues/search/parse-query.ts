import { plainWords } from '../../base/plain-text.ts'
import { factWord, type NeededFact } from '../../base/venue-facts.ts'
import type { Category } from '../../base/venue-kinds.ts'
import type { Term } from '../store/text-query.ts'
import { type Exclusion, exclusionOf, splitAvoided } from './avoided.ts'
import { type Phrase, splitKinds, withAlternatives } from './clauses.ts'
import { isThing, type Lexicon } from './lexicon.ts'
import { areasAround, type SearchArea } from './places.ts'
import { atHome, fillers } from './stop-lexicon.ts'

/** What a free text asks for, apart from party, day and time. */
export type ParsedQuery = {
  category: Category | null
  /** the kinds of which either will do; `category` is then null */
  either: readonly Category[]
  /** whether the kind is only hinted at */
  isHinted: boolean
  /** the kind that the words imply, if another kind is named explicitly */
  implied: Category | null
  place: SearchArea | null
  /** further kinds in the query, as in "massage and dinner" */
  others: readonly Category[]
  /** the landmark to search near */
  landmark: SearchArea | null
  /** a landmark phrase that fits several cities, with no place to decide, and their names */
  unclear: { said: string; names: readonly string[] } | null
  /** terms to find in names, descriptions and tags */
  terms: readonly Term[]
  /** terms for the thing wanted, such as sushi: search widens the area before dropping them */
  things: readonly Term[]
  /** the facts that a venue must have */
  facts: readonly NeededFact[]
  /** the query's words for each term */
  said: ReadonlyMap<string, string>
  /** things that the guest does not want, in the query's words and then in those of terms */
  avoided: readonly Term[]
  /** what no shown venue may have or be */
  excluded: readonly Exclusion[]
  /** words for being served at home, which no venue offers */
  atHome: string | null
  /** words that search cannot use but that may matter to the guest */
  dropped: readonly string[]
  /** unknown words, which are also terms */
  unknown: readonly string[]
  /** unknown words for what is not wanted */
  unknownAvoided: readonly string[]
  /** the words for what is wanted */
  words: readonly string[]
}

/** Reads a query phrase by phrase, longest first. Unknown words become terms. */
export function parseQuery(text: string, lexicon: Lexicon): ParsedQuery {
  const { wanted, avoided } = splitAvoided([...phrasesOf(text, lexicon)])
  const { first, others, either } = splitKinds(wanted)
  const phrases = withAlternatives(
    hasAllTerms(first, either) ? first.map(ofWholeKind) : first.map(withoutTerm),
  )
  const kinds = phrases.flatMap(({ meaning }) => (meaning?.is === 'kind' ? [meaning] : []))
  const saidAs = (said: (typeof kinds)[number]['said']) =>
    kinds.find((kind) => kind.said === said)?.category ?? null
  const [outright, implied] = [saidAs('outright'), saidAs('implied')]
  const category = outright ?? implied ?? saidAs('hinted') ?? kindWithout(avoided)
  const terms = distinct(phrases.flatMap(termsOf))
  const thingsIn = phrases.filter(({ meaning }) => meaning && isThing(meaning))
  const things = distinct(thingsIn.flatMap(termsOf))
  const excluded = avoided.map((phrase) => exclusionOf(phrase, { terms, things, category }))
  const places = phrases.flatMap(({ meaning }) => (meaning?.is === 'place' ? [meaning.place] : []))
  const areas = places.filter(({ landmark }) => !landmark)
  const place = placeWithout(areas.reduce<SearchArea | null>(combine, null), excluded, lexicon)
  const landmark = places.find((one) => one.landmark) ?? landmarkIn(place, phrases, lexicon)
  const isDropped = ({ meaning }: Phrase) =>
    meaning?.is === 'nothing' || (meaning?.is === 'landmark' && !landmark)
  return {
    category: either.length > 0 ? null : category,
    either,
    isHinted: !outright && !implied,
    implied: implied !== outright ? implied : null,
    others,
    place,
    landmark,
    unclear: landmark ? null : unclearIn(phrases),
    terms,
    things,
    facts: distinctFacts([...factsIn(phrases), ...excluded.flatMap(({ fact }) => fact ?? [])]),
    said: new Map(
      phrases.flatMap((phrase) =>
        termsOf(phrase).map(([name = '']) => [name, phrase.words.join(' ')] as const),
      ),
    ),
    avoided: avoided.map((phrase) => [
      phrase.words.join(' '),
      ...(phrase.meaning ? termsOf(phrase).flat() : []),
    ]),
    excluded,
    atHome: phrases.map(textOf).find((text) => atHome.has(text)) ?? null,
    dropped: phrases
      .filter(isDropped)
      .flatMap(({ words }) => words)
      .filter((word) => !fillers.has(word)),
    unknown: unknownIn(first),
    unknownAvoided: unknownIn(avoided),
    words: wanted.flatMap(({ words }) => words),
  }
}

/** "Massage or a gym" are spas and gyms, as no gym has a massage. */
const hasAllTerms = (phrases: readonly Phrase[], either: readonly Category[]) =>
  either.every((category) =>
    phrases.some(
      ({ meaning }) => meaning?.is === 'kind' && meaning.category === category && meaning.term,
    ),
  )

/** "Gym or boulders" are all gyms. */
function ofWholeKind(phrase: Phrase, at: number, all: readonly Phrase[]): Phrase {
  const isWhole = [at - 2, at + 2].some((other) => {
    const [meaning, join] = [all[other]?.meaning, all[(at + other) / 2]]
    const isPlain = meaning?.is === 'kind' && meaning.said === 'outright' && !meaning.term
    const isOnly = isPlain && !hasTerm(all[other - 1])
    return isOnly && join && isOr(join) && meaning.category === categoryOf(phrase)
  })
  return isWhole ? withoutTerm(phrase) : phrase
}

const hasTerm = (phrase: Phrase | undefined) => phrase !== undefined && termsOf(phrase).length > 0
const isOr = (phrase: Phrase) => ['or', 'atau'].includes(textOf(phrase))
const categoryOf = ({ meaning }: Phrase) => (meaning?.is === 'kind' ? meaning.category : null)

function withoutTerm(phrase: Phrase): Phrase {
  if (phrase.meaning?.is !== 'kind') return phrase
  const { term: _, ...meaning } = phrase.meaning
  return { ...phrase, meaning }
}

const textOf = ({ words }: Phrase) => words.join(' ')
const unknownIn = (phrases: readonly Phrase[]) =>
  phrases.flatMap(({ words, meaning }) => (meaning ? [] : words))

/** Whoever wants "anything but sushi" wants something to eat. */
const kindWithout = (avoided: readonly Phrase[]): Category | null =>
  avoided.flatMap(({ meaning }) =>
    meaning?.is === 'kind' && meaning.said !== 'outright' ? [meaning.category] : [],
  )[0] ?? null

const factsIn = (phrases: readonly Phrase[]): NeededFact[] =>
  phrases.flatMap(({ meaning }) => (meaning && 'fact' in meaning ? (meaning.fact ?? []) : []))

const distinctFacts = (facts: readonly NeededFact[]): NeededFact[] => [
  ...new Map(facts.map((fact) => [factWord(fact), fact])).values(),
]

/** The place without areas that are not wanted or, if only those are named, what is around them. */
function placeWithout(
  named: SearchArea | null,
  excluded: readonly Exclusion[],
  { areas: all }: Lexicon,
): SearchArea | null {
  const places = excluded.flatMap(({ place }) => place ?? [])
  const avoided = new Set(places.flatMap(({ areas }) => areas))
  const rest = (place: SearchArea) => ({
    ...place,
    areas: place.areas.filter((area) => !avoided.has(area)),
  })
  const options = named ? [named] : places.slice(0, 1).flatMap((one) => areasAround(one, all))
  return options.map(rest).find(({ areas }) => areas.length > 0) ?? named
}

/** Words before the name of a place, in English and Indonesian. */
const placeWords: ReadonlySet<string> = new Set([
  ...['in', 'near', 'around', 'at'],
  ...['di', 'dekat', 'sekitar', 'ke'],
])

/** "The airport" means the airport of the place's city or island. */
function landmarkIn(place: SearchArea | null, phrases: readonly Phrase[], { areas }: Lexicon) {
  if (!phrases.some(({ meaning }) => meaning?.is === 'landmark')) return null
  const cityOf = (slug = '') => areas.find((area) => area.slug === slug)?.city
  const cities = new Set(place?.areas.map(cityOf))
  const landmarks = phrases.flatMap(({ meaning }) =>
    meaning?.is === 'landmark' ? meaning.places : [],
  )
  return landmarks.find((one) => cities.has(cityOf(one.areas[0]))) ?? null
}

function unclearIn(phrases: readonly Phrase[]): ParsedQuery['unclear'] {
  for (const { words, meaning } of phrases) {
    if (meaning?.is !== 'landmark') continue
    const names = meaning.places.map(({ landmark, name }) => landmark ?? name)
    return { said: words.join(' '), names: [...new Set(names)] }
  }
  return null
}

function termsOf({ words, meaning }: Phrase): Term[] {
  if (!meaning) return words.map((word) => [word])
  return 'term' in meaning && meaning.term ? [meaning.term] : []
}

const distinct = (terms: readonly Term[]): Term[] => [
  ...new Map(terms.map((term) => [term.join('|'), term])).values(),
]

function* phrasesOf(text: string, lexicon: Lexicon): Generator<Phrase> {
  const parts = text.split(/[,;+]/).map(plainWords)
  const words = parts.flat()
  const ends = parts.map((_, part) => parts.slice(0, part).flat().length)
  for (let start = 0; start < words.length; ) {
    const phrase = longestPhrase(words, start, lexicon)
    yield { ...phrase, isApart: ends.includes(start) }
    start += phrase.words.length
  }
}

function longestPhrase(words: readonly string[], start: number, lexicon: Lexicon) {
  const isIn = placeWords.has(words[start - 1] ?? '')
  for (let length = lexicon.longest; length > 0; length -= 1) {
    const candidate = words.slice(start, start + length)
    const phrase = candidate.join(' ')
    const meaning = (isIn && lexicon.afterIn.get(phrase)) || lexicon.meanings.get(phrase)
    if (meaning) return { words: candidate, meaning }
  }
  return { words: words.slice(start, start + 1), meaning: undefined }
}

/** Two places mean their overlap, as in "Seminyak, Bali"; if there is none, either of them. */
function combine(one: SearchArea | null, other: SearchArea): SearchArea {
  if (!one) return other
  const shared = one.areas.filter((area) => other.areas.includes(area))
  if (shared.length > 0) {
    return { ...(one.areas.length <= other.areas.length ? one : other), areas: shared }
  }
  const name = `${one.name}, ${other.name}`
  return { ...one, name, areas: [...one.areas, ...other.areas], where: `in ${name}` }
}
