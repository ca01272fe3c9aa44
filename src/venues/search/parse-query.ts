import { wordsOf } from '../../contract/rules/plain-text.ts'
import type { Category } from '../../contract/rules/venue-kinds.ts'
import type { Term } from '../store/text-query.ts'
import type { Lexicon, Meaning } from './lexicon.ts'
import type { SearchArea } from './places.ts'

/** What a free text asks for, apart from party, day and time. */
export type ParsedQuery = {
  category: Category | null
  /** the kind that its words imply, where another one is named outright */
  implied: Category | null
  place: SearchArea | null
  /** the landmark to be near to */
  landmark: SearchArea | null
  /** to be found in names, descriptions and tags */
  terms: readonly Term[]
  /** terms that name what is wanted, as sushi does: looked for further away first */
  things: readonly Term[]
  /** words that carry nothing to search for */
  dropped: readonly string[]
  /** words that mean nothing known; they are terms as well */
  unknown: readonly string[]
}

/** Reads a query phrase by phrase, the longest first. Unknown words are searched for. */
export function parseQuery(text: string, lexicon: Lexicon): ParsedQuery {
  const phrases = [...phrasesOf(wordsOf(text), lexicon)]
  const kinds = phrases.flatMap(({ meaning }) => (meaning?.is === 'kind' ? [meaning] : []))
  const saidAs = (said: (typeof kinds)[number]['said']) =>
    kinds.find((kind) => kind.said === said)?.category ?? null
  const [outright, implied] = [saidAs('outright'), saidAs('implied')]
  const places = phrases.flatMap(({ meaning }) => (meaning?.is === 'place' ? [meaning.place] : []))
  const areas = places.filter(({ landmark }) => !landmark)
  return {
    category: outright ?? implied ?? saidAs('hinted'),
    implied: implied !== outright ? implied : null,
    place: areas.reduce<SearchArea | null>(combine, null),
    landmark: places.find(({ landmark }) => landmark) ?? null,
    terms: distinct(phrases.flatMap(termsOf)),
    things: distinct(phrases.filter(isThing).flatMap(termsOf)),
    dropped: phrases.flatMap(({ words, meaning }) => (meaning?.is === 'nothing' ? words : [])),
    unknown: phrases.flatMap(({ words, meaning }) => (meaning ? [] : words)),
  }
}

type Phrase = { words: string[]; meaning: Meaning | undefined }

function termsOf({ words, meaning }: Phrase): Term[] {
  if (!meaning) return words.map((word) => [word])
  return 'term' in meaning && meaning.term ? [meaning.term] : []
}

const isThing = ({ meaning }: Phrase) => meaning?.is === 'kind' && meaning.said === 'implied'

const distinct = (terms: readonly Term[]): Term[] => [
  ...new Map(terms.map((term) => [term.join('|'), term])).values(),
]

function* phrasesOf(words: readonly string[], lexicon: Lexicon): Generator<Phrase> {
  for (let start = 0; start < words.length; ) {
    const phrase = longestPhrase(words, start, lexicon)
    yield phrase
    start += phrase.words.length
  }
}

function longestPhrase(words: readonly string[], start: number, lexicon: Lexicon): Phrase {
  for (let length = lexicon.longest; length > 0; length -= 1) {
    const candidate = words.slice(start, start + length)
    const meaning = lexicon.meanings.get(candidate.join(' '))
    if (meaning) return { words: candidate, meaning }
  }
  return { words: words.slice(start, start + 1), meaning: undefined }
}

/** Two places mean where they overlap, as in "Seminyak, Bali"; if they do not, either of them. */
function combine(one: SearchArea | null, other: SearchArea): SearchArea {
  if (!one) return other
  const shared = one.areas.filter((area) => other.areas.includes(area))
  if (shared.length > 0) return one.areas.length <= other.areas.length ? one : other
  const name = `${one.name}, ${other.name}`
  return { ...one, name, areas: [...one.areas, ...other.areas], where: `in ${name}` }
}
