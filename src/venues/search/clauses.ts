import type { Category } from '../../base/venue-kinds.ts'
import type { Meaning } from './lexicon.ts'

/** A phrase of a query. `isApart`: after a comma. */
export type Phrase = { words: string[]; meaning: Meaning | undefined; isApart: boolean }

const words = ['and', 'dan', 'then', 'lalu', 'kemudian', 'terus', 'plus', 'or', 'atau']
const conjunctions = new Set(words)
/** Words that introduce properties of the venue mentioned before them. */
const properties = new Set(['with', 'dengan', 'that', 'which', 'has', 'having', 'serving', 'yang'])

type Kinds = {
  first: Phrase[]
  others: Category[]
  /** kinds of which either will do */
  either: Category[]
}

/**
 * The phrases about the first kind of venue in a query, and the query's other kinds: "massage,
 * dinner and a bar" has three kinds, "restaurant with pizza and cocktails" one, and "spa or gym"
 * two of which either will do.
 */
export function splitKinds(phrases: readonly Phrase[]): Kinds {
  const clauses = clausesOf(phrases)
  const main = clauses.findIndex((clause) => kindOf(clause) !== null)
  const category = kindOf(clauses[main] ?? [])
  const isOwn = clauses.findIndex((clause) => clause.some(({ words }) => words.some(isProperty)))
  const kinds = clauses.map((clause, at) => {
    const kind = at > main ? kindOf(clause) : null
    return kind === category || (isOwn >= 0 && isOwn < at) ? null : kind
  })
  const isEither = (clause: readonly Phrase[]) => either.has(clause[0]?.words.join(' ') ?? '')
  const options = clauses.flatMap((clause, at) => (isEither(clause) && kinds[at]) || [])
  const isOther = (at: number) => kinds[at] != null && !options.includes(kinds[at])
  const first = clauses.flatMap((clause, at) => (isOther(at) ? clause.filter(isShared) : clause))
  const others = clauses.flatMap((_, at) => (isOther(at) && kinds[at]) || [])
  return {
    first,
    others: [...new Set(others)],
    either: category && options.length > 0 ? [...new Set([category, ...options])] : [],
  }
}

function clausesOf(phrases: readonly Phrase[]): Phrase[][] {
  const clauses: Phrase[][] = [[]]
  for (const phrase of phrases) {
    const isNext = phrase.isApart || (phrase.words.length === 1 && isConjunction(phrase.words[0]))
    if (isNext) clauses.push([])
    clauses.at(-1)?.push(phrase)
  }
  return clauses
}

const isConjunction = (word = '') => conjunctions.has(word)
/** Whether a word introduces properties of what is mentioned before it. */
export const isProperty = (word: string) => properties.has(word)

function kindOf(clause: readonly Phrase[]): Category | null {
  const kinds = clause.flatMap(({ meaning }) => (meaning?.is === 'kind' ? [meaning] : []))
  const kindBy = (how: string) => kinds.find((kind) => kind.said === how)?.category
  return kindBy('outright') ?? kindBy('implied') ?? null
}

/** A place or a meaningless word applies to all kinds. */
const isShared = ({ meaning }: Phrase) =>
  meaning?.is === 'place' || meaning?.is === 'landmark' || meaning?.is === 'nothing'

const either = new Set(['or', 'atau'])

/** The phrases, with "facial or body scrub" as one that has both as alternatives. */
export function withAlternatives(phrases: readonly Phrase[], from = 1): Phrase[] {
  const at = phrases.findIndex(({ words: [word = ''] }, index) => index >= from && either.has(word))
  if (at < 0) return [...phrases]
  const before = sideOf(phrases.slice(0, at).reverse()).reverse()
  const after = sideOf(phrases.slice(at + 1))
  if (before.length === 0 || after.length === 0) return withAlternatives(phrases, at + 1)
  const start = at - before.length
  const end = at + 1 + after.length
  const words = phrases.slice(start, end).flatMap((one) => one.words)
  const term = [words.join(' '), ...termsOf(before), ...termsOf(after)]
  const { isApart = false } = phrases[start] ?? {}
  const both = { words, meaning: { ...kindIn([...before, ...after]), term }, isApart }
  return withAlternatives([...phrases.slice(0, start), both, ...phrases.slice(end)], start + 1)
}

/** The phrase next to the word or, if it is unknown, the unknown words next to it. */
function sideOf(phrases: readonly Phrase[]): Phrase[] {
  const [first] = phrases
  if (first?.meaning) return 'term' in first.meaning ? [first] : []
  const end = phrases.findIndex(({ meaning }) => meaning !== undefined)
  return phrases.slice(0, end < 0 ? phrases.length : end)
}

const termsOf = (side: readonly Phrase[]): readonly string[] => {
  const meaning = side[0]?.meaning
  if (meaning && 'term' in meaning && meaning.term) return meaning.term
  return [side.flatMap(({ words }) => words).join(' ')]
}

function kindIn(phrases: readonly Phrase[]) {
  const kinds = phrases.flatMap(({ meaning }) => (meaning?.is === 'kind' ? [meaning] : []))
  const [kind] = kinds
  return kind
    ? { is: kind.is, category: kind.category, said: kind.said }
    : ({ is: 'text' } as const)
}
