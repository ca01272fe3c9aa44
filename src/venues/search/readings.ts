import { factPhrase, type NeededFact } from '../../base/venue-facts.ts'
import type { Category } from '../../base/venue-kinds.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Term } from '../store/text-query.ts'
import type { VenueScope } from '../store/venue-scopes.ts'
import { selectFrequencies } from '../store/venue-search.ts'
import type { Lexicon } from './lexicon.ts'
import type { ParsedQuery } from './parse-query.ts'
import { areasAround, REACH_KM, type SearchArea } from './places.ts'
import type { UnderstoodQuery } from './understand.ts'

/** One reading of a query: the terms to search for, and the words dropped. */
export type QueryReading = {
  category: Category | null
  place: SearchArea | null
  terms: readonly Term[]
  match: 'all' | 'any'
  facts: readonly NeededFact[]
  dropped: readonly string[]
  widened: string | null
}

/**
 * The readings of a query, from the exact one to the widest, made on demand: all words; the words
 * that venues of that category and place have; the thing wanted further around, up to the country;
 * then anything of the category, in the place and further away. None if nothing was understood.
 */
export async function* readings(
  db: Db,
  { parsed, nowhere, without }: UnderstoodQuery,
  { isTest, areas: all }: Lexicon,
): AsyncGenerator<QueryReading> {
  const { category, terms, things, facts } = parsed
  const dropped = [...parsed.dropped, ...nowhere]
  const place = placeMeant(parsed)
  const areas = all.filter(({ slug }) => !without.areas.includes(slug))
  if (!category && !place && terms.length === 0 && facts.length === 0) return
  const exact: QueryReading = {
    category,
    place,
    terms,
    match: 'all',
    facts,
    dropped,
    widened: null,
  }
  const isLess = terms.length === 0 && nowhere.length > 0
  yield isLess ? { ...exact, widened: everythingInstead(exact, nowhere) } : exact
  if (terms.length > 0) {
    const frequent = await frequencies(db, exact, { isTest, without })
    const hasThings = things.every((thing) => frequent.all.some((term) => isSame(term, thing)))
    if (hasThings) yield* withFewerWords(exact, frequent)
    if (place && things.length > 0) yield* thingsAround(exact, place, things, areas)
    if (!hasThings) yield* withFewerWords(exact, frequent)
    yield* withoutWords(exact, parsed.implied)
  }
  if (place) yield* furtherAway(exact, place, areas)
}

/** The landmark within the place named with it or, without a place, with the areas around it. */
function placeMeant({ place, landmark }: ParsedQuery): SearchArea | null {
  if (!place || !landmark) return place ?? landmark
  const { origin, radiusKm } = landmark
  return { ...place, where: `${landmark.where} ${place.where}`, origin, radiusKm }
}

/** Drops words absent from the category and place, then common words, then accepts any word. */
function* withFewerWords(
  exact: QueryReading,
  { rare, all: frequent }: { rare: readonly Term[]; all: readonly Term[] },
): Generator<QueryReading> {
  const { terms } = exact
  // A rare word says more than a common one.
  const telling = rare.length > 0 ? rare : frequent
  const widened = 'No venue has all of the words: venues with any of them are shown.'
  if (frequent.length > 0 && frequent.length < terms.length) yield withOnly(exact, frequent)
  if (telling.length < frequent.length) yield { ...withOnly(exact, telling), widened }
  if (telling.length > 1) yield { ...withOnly(exact, telling), match: 'any', widened }
}

const isSame = (one: Term, other: Term) => one.join('|') === other.join('|')

/** The thing wanted in the nearest place that has it: better than something else nearby. */
function* thingsAround(
  exact: QueryReading,
  place: SearchArea,
  things: readonly Term[],
  areas: Lexicon['areas'],
): Generator<QueryReading> {
  const reading = withOnly(
    exact,
    exact.terms.filter((term) => things.some((thing) => isSame(term, thing))),
  )
  const none = noneWith(exact, things.map(wordOf))
  for (const wider of areasAround(place, areas, REACH_KM)) {
    yield { ...reading, place: wider, widened: `${none}: ${shownOf(wider)}.` }
  }
}

function* withoutWords(exact: QueryReading, implied: Category | null): Generator<QueryReading> {
  const { category, place, terms } = exact
  if (category === null && place === null) return
  const words = terms.map(wordOf)
  if (implied && implied !== category) {
    const widened = `${noneWith(exact, words)}: the kind of venue that has it is shown.`
    yield { ...exact, category: implied, widened }
  }
  yield { ...withOnly(exact, []), widened: everythingInstead(exact, words) }
}

/** The reading with only these of its terms; the others are dropped. */
const withOnly = (reading: QueryReading, terms: readonly Term[]): QueryReading => {
  const others = reading.terms.filter((term) => !terms.includes(term))
  return { ...reading, terms, dropped: [...reading.dropped, ...others.map(wordOf)] }
}

/** The terms that few venues of the category and place have, and the terms that any venue has. */
async function frequencies(
  db: Db,
  { category, place, terms }: QueryReading,
  of: Pick<VenueScope, 'isTest' | 'without'>,
) {
  const scope = { ...of, category, ...searchedIn(place, 'counted') }
  const rarities = await selectFrequencies(db, scope, terms)
  return {
    rare: terms.filter((_, index) => rarities[index] === 'rare'),
    all: terms.filter((_, index) => rarities[index] !== 'none'),
  }
}

const thatMay = ({ facts }: QueryReading) =>
  facts.length > 0 ? ` that is known ${facts.map(factPhrase).join(' and ')}, or may` : ''

/** Where to search: within a radius whatever the area, or in areas by distance from the origin. */
export function searchedIn(place: SearchArea | null, how: 'counted' | 'ordered') {
  const { areas = null, origin = null, radiusKm = null } = place ?? {}
  if (radiusKm !== null) return { areas: null, origin, radiusKm }
  return { areas, origin: how === 'ordered' ? origin : null, radiusKm }
}

const within = (place: SearchArea | null) => (place ? ` ${place.where}` : '')
const noneWith = ({ category, place }: QueryReading, words: readonly string[]) =>
  `${category ? `No ${category}` : 'Nothing'}${within(place)} matches "${words.join(' ')}"`
const everythingInstead = (exact: QueryReading, words: readonly string[]) =>
  `${noneWith(exact, words)}: every ${exact.category ?? 'venue'}${within(exact.place)} is shown.`

function* furtherAway(
  exact: QueryReading,
  place: SearchArea,
  areas: Lexicon['areas'],
): Generator<QueryReading> {
  const { category, terms } = exact
  const none = `No ${category ?? 'venue'} ${place.where}${thatMay(exact)}`
  for (const wider of areasAround(place, areas)) {
    const widened = `${none}: ${shownOf(wider)}.`
    if (terms.length > 0) yield { ...exact, place: wider, widened }
    yield { ...withOnly(exact, []), place: wider, widened }
  }
}

function shownOf({ name, areas, where }: SearchArea): string {
  if (where.startsWith('within ')) return `venues ${where} are shown, the nearest first`
  const isMany = areas.length > 1 && where.startsWith('in ')
  return isMany ? `all of ${name} is shown, the nearest first` : `${name} is shown`
}

/** The text of a term. */
export const wordOf = (term: Term): string => term[0] ?? ''
