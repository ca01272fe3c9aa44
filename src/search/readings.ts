import type { Category } from '../model/rules.ts'
import type { Db } from '../store/sql.ts'
import type { Term } from '../store/text-query.ts'
import { selectFrequency } from '../store/venue-search.ts'
import type { Lexicon } from './lexicon.ts'
import type { ParsedQuery } from './parse-query.ts'
import { type Place, placesAround } from './places.ts'
import type { Understood } from './understand.ts'

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
  { parsed, nowhere }: Understood,
  lexicon: Lexicon,
): AsyncGenerator<Reading> {
  const { category, terms } = parsed
  const dropped = [...parsed.dropped, ...nowhere]
  const place = placeMeant(parsed)
  if (category === null && place === null && terms.length === 0) return
  const exact: Reading = { category, place, terms, match: 'all', dropped, widened: null }
  const isLess = terms.length === 0 && nowhere.length > 0
  yield isLess ? { ...exact, widened: everythingInstead(exact, nowhere) } : exact
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
  const { category, place, terms } = exact
  const { common, rare } = await frequencies(db, exact)
  const known = terms.filter((term) => common.includes(term) || rare.includes(term))
  // A word that few venues have says more than those that many have.
  const telling = rare.length > 0 ? rare : known
  const widened = 'No venue has all of the words: venues with any of them are shown.'
  if (known.length > 0 && known.length < terms.length) yield withOnly(exact, known)
  if (telling.length < known.length) yield { ...withOnly(exact, telling), widened }
  if (telling.length > 1) yield { ...withOnly(exact, telling), match: 'any', widened }
  if (category === null && place === null) return
  const said = terms.map(wordOf)
  if (implied && implied !== category) {
    const widened = `${noneWith(exact, said)}: the kind of venue that has it is shown.`
    yield { ...exact, category: implied, widened }
  }
  yield { ...withOnly(exact, []), widened: everythingInstead(exact, said) }
}

/** The reading with these of its terms; the others are dropped. */
const withOnly = (reading: Reading, terms: readonly Term[]): Reading => {
  const others = reading.terms.filter((term) => !terms.includes(term))
  return { ...reading, terms, dropped: [...reading.dropped, ...others.map(wordOf)] }
}

/** The terms that many and that few venues of the kind and place have. */
async function frequencies(db: Db, { category, place, terms }: Reading) {
  const scope = { category, areas: place?.areas ?? null }
  const found = await Promise.all(terms.map((term) => selectFrequency(db, scope, term)))
  const those = (frequency: string) => terms.filter((_, index) => found[index] === frequency)
  return { common: those('common'), rare: those('rare') }
}

const within = (place: Place | null) => (place ? ` ${place.where}` : '')
const noneWith = ({ category, place }: Reading, said: readonly string[]) =>
  `${category ? `No ${category}` : 'Nothing'}${within(place)} matches "${said.join(' ')}"`
const everythingInstead = (exact: Reading, said: readonly string[]) =>
  `${noneWith(exact, said)}: every ${exact.category ?? 'venue'}${within(exact.place)} is shown.`

function* furtherAway(exact: Reading, place: Place, { areas }: Lexicon): Generator<Reading> {
  const { category, terms } = exact
  const none = `No ${category ?? 'venue'} ${place.where}`
  for (const wider of [...placesAround(place, areas), null]) {
    const shown = wider
      ? wider.areas.length > 1 && wider.where.startsWith('in ')
        ? `all of ${wider.name} is shown, the nearest first`
        : `${wider.name} is shown`
      : 'other areas are shown'
    const widened = `${none}: ${shown}.`
    if (terms.length > 0) yield { ...exact, place: wider, widened }
    yield { ...withOnly(exact, []), place: wider, widened }
  }
}

/** What a term is called. */
export const wordOf = (term: Term): string => term[0] ?? ''
