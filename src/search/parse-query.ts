import { wordsOf } from '../model/plain-text.ts'
import type { Category } from '../model/rules.ts'
import type { Lexicon, Meaning, Place } from './lexicon.ts'

/** What a free text asks for. */
export type ParsedQuery = {
  category: Category | null
  place: Place | null
  /** to be found in names, descriptions and tags */
  words: string[]
  /** words that carry nothing to search for */
  dropped: string[]
}

/** Reads a query phrase by phrase, the longest that means something first; what means nothing known is a word to find. */
export function parseQuery(text: string, lexicon: Lexicon): ParsedQuery {
  const parsed: ParsedQuery = { category: null, place: null, words: [], dropped: [] }
  let implied: Category | null = null
  for (const { words, meaning } of phrasesOf(wordsOf(text), lexicon)) {
    if (!meaning) parsed.words.push(...words)
    else if (meaning.is === 'nothing') parsed.dropped.push(...words)
    else if (meaning.is === 'place') parsed.place = combine(parsed.place, meaning.place)
    else if (meaning.implied) {
      parsed.words.push(...words)
      implied ??= meaning.category
    } else if (!parsed.category || parsed.category === meaning.category) {
      parsed.category = meaning.category
    } else parsed.words.push(...words)
  }
  parsed.category ??= implied
  parsed.words = [...new Set(parsed.words)]
  return parsed
}

type Phrase = { words: string[]; meaning: Meaning | undefined }

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
function combine(one: Place | null, other: Place): Place {
  if (!one) return other
  const shared = one.areas.filter((area) => other.areas.includes(area))
  if (shared.length === 0) {
    return { name: `${one.name}, ${other.name}`, areas: [...one.areas, ...other.areas] }
  }
  return one.areas.length <= other.areas.length ? one : other
}
