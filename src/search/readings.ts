import type { Category } from '../model/rules.ts'
import type { Db } from '../store/sql.ts'
import type { Term } from '../store/text-query.ts'
import { selectOccurringTerms } from '../store/venue-search.ts'
import type { Lexicon } from './lexicon.ts'
import type { ParsedQuery } from './parse-query.ts'
import { type Place, placesAround } from './places.ts'

/** A way to understand a query: what to look for, and what was given up for it. */
export type Reading = {
  category: Category | null
  place: Place | null
  terms: readonly Term[]
  match: 'all' | 'any'
  dropped: readonly string[]
  widened: string | null
}

/**
 * The readings of a query from the exact one to the widest, made only as far as they are asked for: all words, those that
 * occur at all, none; then the city or island around the place, its neighbours, its country, everywhere. None when nothing
 * was understood.
 */
export async function* readings(
  db: Db,
  parsed: ParsedQuery,
  lexicon: Lexicon,
): AsyncGenerator<Reading> {
  const { category, terms, dropped } = parsed
  const place = placeMeant(parsed)
  if (category === null && place === null && terms.length === 0) return
  const exact: Reading = { category, place, terms, match: 'all', dropped, widened: null }
  yield exact
  if (terms.length > 0) yield* withFewerWords(db, exact, parsed.implied)
  if (place) yield* furtherAway(exact, place, lexicon)
}

/** The landmark within the place that is named with it, or with the areas around it. */
function placeMeant({ place, landmark }: ParsedQuery): Place | null {
  if (!place || !landmark) return place ?? landmark
  return { ...place, where: `${landmark.where} ${place.where}`, origin: landmark.origin }
}

async function* withFewerWords(
  db: Db,
  exact: Reading,
  implied: Category | null,
): AsyncGenerator<Reading> {
  const { category, place, terms, dropped } = exact
  const occurring = await selectOccurringTerms(db, { category, areas: place?.areas ?? null }, terms)
  const known = terms.filter((_, position) => occurring.includes(position))
  const unknown = terms.filter((term) => !known.includes(term)).map(wordOf)
  const lesser = { ...exact, terms: known, dropped: [...dropped, ...unknown] }
  if (known.length === 1) yield { ...lesser, match: 'all' }
  if (known.length > 1) {
    const widened = 'No venue has all of the words: venues with any of them are shown.'
    yield { ...lesser, match: 'any', widened }
  }
  if (category === null && place === null) return
  const [where, said] = [place ? ` ${place.where}` : '', terms.map(wordOf).join(' ')]
  const none = `${category ? `No ${category}` : 'Nothing'}${where} matches "${said}"`
  if (implied && implied !== category) {
    yield {
      ...exact,
      category: implied,
      widened: `${none}: the kind of venue that has it is shown.`,
    }
  }
  const every = category ? `every ${category}` : 'every venue'
  yield {
    ...exact,
    terms: [],
    dropped: [...dropped, ...terms.map(wordOf)],
    widened: `${none}: ${every}${where} is shown.`,
  }
}

function* furtherAway(exact: Reading, place: Place, { areas }: Lexicon): Generator<Reading> {
  const { category, terms, dropped } = exact
  const none = `No ${category ?? 'venue'} ${place.where}`
  for (const wider of [...placesAround(place, areas), null]) {
    const shown = wider
      ? wider.areas.length > 1 && wider.where.startsWith('in ')
        ? `all of ${wider.name} is shown, the nearest first`
        : `${wider.name} is shown`
      : 'other areas are shown'
    const widened = `${none}: ${shown}.`
    if (terms.length > 0) yield { ...exact, place: wider, widened }
    yield {
      ...exact,
      place: wider,
      terms: [],
      dropped: [...dropped, ...terms.map(wordOf)],
      widened,
    }
  }
}

/** What a term is called. */
export const wordOf = (term: Term): string => term[0] ?? ''
