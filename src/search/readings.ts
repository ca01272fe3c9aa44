import type { Category } from '../model/rules.ts'
import type { Db } from '../store/sql.ts'
import { selectKnownWords } from '../store/venues.ts'
import type { Lexicon, Place } from './lexicon.ts'
import type { ParsedQuery } from './parse-query.ts'

/** A way to understand a query: what to look for, and what was given up for it. */
export type Reading = {
  category: Category | null
  place: Place | null
  words: readonly string[]
  match: 'all' | 'any'
  dropped: readonly string[]
  widened: string | null
}

/**
 * The readings of a query from the exact one to the widest, made only as far as they are asked for: all words, those that
 * occur at all, none; then the city or island around the place, then everywhere. None when nothing was understood.
 */
export async function* readings(
  db: Db,
  parsed: ParsedQuery,
  lexicon: Lexicon,
): AsyncGenerator<Reading> {
  const { category, place, words, dropped } = parsed
  const hasFacet = category !== null || place !== null
  if (!hasFacet && words.length === 0) return
  const exact: Reading = { category, place, words, match: 'all', dropped, widened: null }
  yield exact
  if (words.length > 0) yield* withFewerWords(db, exact)
  if (category === null || place === null) return
  const wide = { category, words: [], match: 'all', dropped: [...dropped, ...words] } as const
  const kind = `No ${category} in ${place.name}`
  const around = cityAround(place, lexicon)
  if (around) yield { ...wide, place: around, widened: `${kind}: all of ${around.name} is shown.` }
  yield { ...wide, place: null, widened: `${kind}: other areas are shown.` }
}

async function* withFewerWords(db: Db, exact: Reading): AsyncGenerator<Reading> {
  const { category, place, words, dropped } = exact
  const known = await selectKnownWords(db, { category, areas: place?.areas ?? null, words })
  const unknown = words.filter((word) => !known.includes(word))
  if (known.length > 0) {
    const widened =
      known.length > 1 ? 'No venue has all of the words: venues with any of them are shown.' : null
    yield { ...exact, words: known, match: 'any', dropped: [...dropped, ...unknown], widened }
  }
  if (category === null && place === null) return
  const kind = category ? `every ${category}` : 'every venue'
  const where = place ? ` in ${place.name}` : ''
  const widened = `Nothing${where} matches "${words.join(' ')}": ${kind}${where} is shown.`
  yield { ...exact, words: [], dropped: [...dropped, ...words], widened }
}

/** The cities or islands of a place as a whole, unless it is one already. */
function cityAround(place: Place, { areas }: Lexicon): Place | null {
  const cities = new Set(
    areas.filter(({ slug }) => place.areas.includes(slug)).map(({ city }) => city),
  )
  const around = areas.filter(({ city }) => cities.has(city)).map(({ slug }) => slug)
  return around.length > place.areas.length ? { name: [...cities].join(', '), areas: around } : null
}
