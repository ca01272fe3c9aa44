import type { Db } from '../../platform/database/sql.ts'
import { selectExistingNames, selectNamedVenues } from '../store/venue-names.ts'
import type { RankedVenue } from '../store/venue-search.ts'
import type { QueryReading } from './readings.ts'
import type { UnderstoodQuery } from './understand.ts'

type Page = { after: { rank: number; slug: string } | null; limit: number }

/** The venues that a query names; venues in its place come first. */
export type NamedVenues = {
  name: string
  reading: QueryReading
  find: (page: Page) => Promise<RankedVenue[]>
}

/**
 * The longest part of a query that is the full name of a venue. A one-word name, or a name whose
 * words all have meanings, such as "The Sushi Bar", counts only if its kind and place agree with
 * the rest of the query.
 */
export async function selectNamed(
  db: Db,
  { names, parsed }: UnderstoodQuery,
  isTest: boolean,
): Promise<NamedVenues | undefined> {
  if (names.length === 0) return undefined
  const { category, place, terms, dropped, unknown } = parsed
  const areas = place?.areas ?? null
  const distinctive = names.filter((name) => {
    const words = name.split(' ')
    return words.length > 1 && words.some((word) => unknown.includes(word))
  })
  const existing = await selectExistingNames(db, { isTest, names, distinctive, category, areas })
  const [name] = existing.sort((one, other) => other.length - one.length)
  if (name === undefined) return undefined
  const strict = distinctive.includes(name) ? { category: null, areas: null } : { category, areas }
  const reading: QueryReading = {
    category,
    place,
    terms,
    match: 'all',
    facts: [],
    dropped,
    widened: null,
  }
  return {
    name,
    reading,
    find: (page) => selectNamedVenues(db, { ...strict, isTest, name, first: areas ?? [], ...page }),
  }
}
