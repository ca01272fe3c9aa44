import type { NeededFact } from '../../base/venue-facts.ts'
import type { Category } from '../../base/venue-kinds.ts'
import type { Term } from '../store/text-query.ts'
import type { Phrase } from './clauses.ts'
import type { SearchArea } from './places.ts'
import { awayFrom, betweenNot, negations } from './stop-lexicon.ts'

const isNegation = new Set(negations)
/** After these, a comma ends a list of things: "not sushi, ramen", but "no sushi, ramen or pho". */
const endsAtComma = new Set(['not', 'bukan', 'jangan', 'rather than', 'instead of'])
const either = new Set(['or', 'atau', 'nor'])
const conjunctions = new Set([...either, 'and', 'dan'])

/** Splits off what a query does not want: "no facial", "bukan pijat atau lulur", "not in Kuta". */
export function splitAvoided(phrases: readonly Phrase[]): { wanted: Phrase[]; avoided: Phrase[] } {
  const wanted: Phrase[] = []
  const avoided: Phrase[] = []
  for (let at = 0; at < phrases.length; ) {
    const start = afterNegation(phrases, at)
    const { items, end } = start > at ? listFrom(phrases, start, wordsAt(phrases, at)) : nothing
    avoided.push(...items)
    if (items.length === 0) wanted.push(...phrases.slice(at, at + 1))
    at = items.length > 0 ? end : at + 1
  }
  return { wanted, avoided }
}

const nothing = { items: [], end: 0 }
const wordsAt = (phrases: readonly Phrase[], at: number) => phrases[at]?.words.join(' ') ?? ''

/** Where the words after a negation begin; the same position if there is none. */
function afterNegation(phrases: readonly Phrase[], at: number): number {
  const isBut = wordsAt(phrases, at) === 'but' && phrases.slice(0, at).some(isAnywhere)
  const isAway = isBut || awayFrom.has(wordsAt(phrases, at))
  if (!isAway && !isNegation.has(wordsAt(phrases, at))) return at
  const start = afterSmallWords(phrases, at + 1)
  return isAway && phrases[start]?.meaning?.is !== 'place' ? at : start
}

/** As in "anywhere in Bali but Kuta". */
const isAnywhere = ({ words: [word = ''] }: Phrase) => /^(?:any|every)(?:where|place)$/.test(word)

function afterSmallWords(phrases: readonly Phrase[], at: number): number {
  const word = wordsAt(phrases, at)
  const [one, next] = phrases.slice(at, at + 2)
  const isLast = !next || next.isApart
  // "No drinking" is about bars, but "not drinking wine" about wine.
  const isAll = kindOf(one) !== null && isLast
  const isSmall = betweenNot.has(word) || isNegation.has(word) || (!isLast && isKindOf(one, next))
  return isSmall && !one?.isApart && !isAll ? afterSmallWords(phrases, at + 1) : at
}

/** Whether a thing follows the kind of venue that has it: "bukan resto Jepang". */
const isKindOf = (one: Phrase | undefined, next: Phrase): boolean =>
  one?.meaning?.is === 'kind' &&
  next.meaning?.is === 'kind' &&
  one.meaning.said === 'outright' &&
  next.meaning.said === 'implied' &&
  one.meaning.category === next.meaning.category

/** The things from a position on that are listed together. */
function listFrom(phrases: readonly Phrase[], start: number, negation: string) {
  const first = phrases[start]?.isApart ? undefined : itemAt(phrases, start)
  if (!first) return nothing
  const items = [first.item]
  let { end } = first
  for (let next = nextOf(phrases, end, first.item, negation); next; ) {
    items.push(next.item)
    end = next.end
    next = nextOf(phrases, end, next.item, negation)
  }
  return { items, end }
}

type Item = { item: Phrase; end: number }

/** A thing to avoid: a known phrase, or unknown words with the dish that follows them. */
function itemAt(phrases: readonly Phrase[], at: number): Item | undefined {
  const rest = phrases.slice(at)
  const known = rest.findIndex(({ meaning, isApart }, index) => meaning || (isApart && index > 0))
  const end = known < 0 ? rest.length : known
  const next = rest[end]
  const isDish = next?.meaning && !(next.isApart && end > 0) && kindOf(next) === 'thing'
  const isPart = end === 0 ? kindOf(next) !== null : isDish
  const own = rest.slice(0, isPart ? end + 1 : end)
  const [first] = own
  if (!first) return undefined
  const words = own.flatMap((one) => one.words)
  const meaning = isPart ? next?.meaning : undefined
  return { item: { words, meaning, isApart: first.isApart }, end: at + own.length }
}

type Sort = 'thing' | 'kind' | 'place' | 'fact'

function kindOf(phrase: Phrase | undefined): Sort | null {
  const meaning = phrase?.meaning
  if (meaning?.is === 'kind') return meaning.said === 'outright' ? 'kind' : 'thing'
  if (meaning?.is === 'place' || meaning?.is === 'landmark') return 'place'
  if (meaning?.is === 'text') return 'thing'
  return meaning?.is === 'fact' ? 'fact' : null
}

/** The next thing of a list, if it goes on: "sushi or in Kuta", "sushi, ramen and pho". */
function nextOf(
  phrases: readonly Phrase[],
  at: number,
  before: Phrase,
  negation: string,
): Item | undefined {
  const word = wordsAt(phrases, at)
  if (either.has(word)) return itemAt(phrases, afterSmallWords(phrases, at + 1))
  const isNext = conjunctions.has(word)
  if (!isNext && !phrases[at]?.isApart) return undefined
  const next = itemAt(phrases, isNext ? at + 1 : at)
  if (!next || kindOf(next.item) !== kindOf(before)) return undefined
  if (isNext) return next
  const isEnd = endsAtComma.has(negation) && kindOf(next.item) !== 'place'
  return !isEnd && isListed(phrases, next) ? next : undefined
}

/** Whether a list goes on to its "or" or "and". */
function isListed(phrases: readonly Phrase[], { item, end }: Item): boolean {
  if (conjunctions.has(wordsAt(phrases, end))) return true
  const next = phrases[end]?.isApart ? itemAt(phrases, end) : undefined
  return next !== undefined && kindOf(next.item) === kindOf(item) && isListed(phrases, next)
}

/** What a query excludes, in its words, and what that means to search. */
export type Exclusion = {
  said: string
  place?: SearchArea
  category?: Category
  /** words that no shown venue has in its name, tags or cuisine */
  term?: Term
  fact?: NeededFact
  /** whether venues that have a thing wanted are not excluded: spas and gyms have several */
  isOfServices?: true
}

type Wanted = { terms: readonly Term[]; things: readonly Term[]; category: Category | null }

/** How search leaves out what was split off, given the terms and the kind that are wanted. */
export function exclusionOf({ words, meaning }: Phrase, wanted: Wanted): Exclusion {
  const said = words.join(' ')
  switch (meaning?.is) {
    case 'place':
      return meaning.place.landmark ? { said } : { said, place: meaning.place }
    case 'fact':
      return { said, fact: { ...meaning.fact, is: meaning.fact.is === 'yes' ? 'no' : 'yes' } }
    case 'landmark':
    case 'nothing':
      return { said }
    case 'kind':
      if (meaning.said !== 'outright') return withoutThing(said, meaning, wanted)
      return meaning.category === wanted.category ? { said } : { said, category: meaning.category }
    default:
      return withoutThing(said, { category: wanted.category, ...meaning }, wanted)
  }
}

function withoutThing(
  said: string,
  { category, term = [] }: { category: Category | null; term?: Term },
  { terms, things }: Wanted,
): Exclusion {
  const isOfServices = (category === 'spa' || category === 'gym') && things.length > 0
  const wanted = terms.flat()
  const ways = [said, ...term.filter((way) => !wanted.includes(way) && way !== said)]
  return { said, term: ways, ...(isOfServices && { isOfServices }) }
}

/** Whether search can leave it out. */
export const isExcludable = (one: Exclusion): boolean => Object.keys(one).length > 1
