import type { Category } from '../../base/venue-kinds.ts'
import type { Meaning } from './lexicon.ts'
import { negations } from './stop-lexicon.ts'

/** A phrase of a query. `isApart`: after a comma. */
export type Phrase = { words: string[]; meaning: Meaning | undefined; isApart: boolean }

const conjunctions = new Set(['and', 'dan', 'then', 'lalu', 'kemudian', 'plus', 'or', 'atau'])
/** Words that introduce properties of the venue mentioned before them. */
const properties = new Set(['with', 'dengan', 'that', 'which', 'has', 'having', 'serving', 'yang'])

/**
 * The phrases about the first kind of venue in a query, and the query's other kinds: "massage,
 * dinner and a bar" has three kinds, "restaurant with pizza and cocktails" one.
 */
export function splitKinds(phrases: readonly Phrase[]): { first: Phrase[]; others: Category[] } {
  const clauses = clausesOf(phrases)
  const main = clauses.findIndex((clause) => kindOf(clause) !== null)
  const category = kindOf(clauses[main] ?? [])
  const isOwn = clauses.findIndex((clause) => clause.some(({ words }) => words.some(isProperty)))
  const kinds = clauses.map((clause, at) => {
    const kind = at > main ? kindOf(clause) : null
    return kind === category || (isOwn >= 0 && isOwn < at) ? null : kind
  })
  const isOther = (at: number) => kinds[at] !== null
  const first = clauses.flatMap((clause, at) => (isOther(at) ? clause.filter(isShared) : clause))
  return { first, others: [...new Set(kinds.flatMap((kind) => kind ?? []))] }
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
const isProperty = (word: string) => properties.has(word)

function kindOf(clause: readonly Phrase[]): Category | null {
  const kinds = clause.flatMap(({ meaning }) => (meaning?.is === 'kind' ? [meaning] : []))
  const kindBy = (how: string) => kinds.find((kind) => kind.said === how)?.category
  return kindBy('outright') ?? kindBy('implied') ?? null
}

/** A place or a meaningless word applies to all kinds. */
const isShared = ({ meaning }: Phrase) =>
  meaning?.is === 'place' || meaning?.is === 'landmark' || meaning?.is === 'nothing'

const either = new Set(['or', 'atau'])
const neither = new Set([...either, 'nor'])
const isNegation = new Set(negations)
const betweenNot = new Set(['a', 'an', 'the', 'on', 'for', 'any', 'too', 'so', 'very', 'really'])

/** What precedes a phrase: a negation, or something unknown or known that is not wanted. */
type Before = 'not' | 'unknown' | 'known' | null

/** Splits off what a query does not want: "no facial", "bukan pijat atau lulur". */
export function splitAvoided(phrases: readonly Phrase[]): { wanted: Phrase[]; avoided: Phrase[] } {
  const wanted: Phrase[] = []
  const avoided: Phrase[] = []
  let before: Before = null
  for (const phrase of phrases) {
    if (phrase.isApart) before = null
    const isAvoided = isAvoidedAfter(before, phrase)
    if (!isAvoided) wanted.push(phrase)
    else if (before === 'not') avoided.push(phrase)
    else avoided.at(-1)?.words.push(...phrase.words)
    before = isAvoided ? (phrase.meaning ? 'known' : 'unknown') : nextBefore(before, phrase)
  }
  return { wanted, avoided }
}

function isAvoidedAfter(before: Before, { meaning }: Phrase): boolean {
  if (!meaning) return before === 'not' || before === 'unknown'
  return before === 'not' && ['kind', 'text', 'fact'].includes(meaning.is)
}

function nextBefore(before: Before, { words }: Phrase): Before {
  const said = words.join(' ')
  if (isNegation.has(said) || (before && neither.has(said))) return 'not'
  return before === 'not' && betweenNot.has(said) ? before : null
}

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
