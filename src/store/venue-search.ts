import { z } from 'zod'
import { createMemory } from './memory.ts'
import { type Db, queryRows } from './sql.ts'
import { type Term, textQuery } from './text-query.ts'
import { conditionsOf, distanceOf, orderedVenues, type Scope } from './venue-scopes.ts'
import { venueColumns, venueRow } from './venues.ts'

/** Which venues, and which page of them: lowest rank first, then by slug. */
export type VenueFilter = Scope & {
  /** `match` says whether all of them must occur */
  terms: readonly Term[]
  match: 'all' | 'any'
  limit: number
}

/** The columns of a venue and its rank. */
export const rankedRow = venueRow
  .extend({ rank: z.number() })
  .transform(({ rank, ...venue }) => ({ rank, venue }))
/** A venue and where it stands in the order. */
export type RankedVenue = z.infer<typeof rankedRow>

/** Above every distance: what matches in its description stands after what matches in its name or tags. */
export const LABEL_STEP = 1_000
/** Above both: with any of the terms, venues that lack fewer of them come first. */
const MISSING_STEP = 10_000

/** Venues looked at in order for each one wanted, before those that have the words are gathered and sorted. */
const WALK_PER_VENUE = 40
const SHORTEST_WALK = 1_000
/** More are never sorted: what is more frequent than this has filled its page by walking. */
const MOST_GATHERED = 20_000

const RARE_MS = 60_000
const MOST_RARE = 10_000
/** Searches whose words turned out to be too rare to be met on a walk. */
const rare = createMemory<true>(RARE_MS, MOST_RARE)

/**
 * A page of venues, in a time that does not grow with their number. Their order is walked along indexes, and words are looked
 * for on the way; where they are too rare for that, the venues that have them are few enough to be sorted.
 */
export async function selectVenues(db: Db, filter: VenueFilter): Promise<RankedVenue[]> {
  const { terms, match, category, areas, after, limit } = filter
  if (terms.length === 0) return walk(db, filter)
  const key = JSON.stringify([category, areas, terms])
  if (match === 'all' && (after?.rank ?? 0) < LABEL_STEP && !rare.get(db, key)) {
    const found = await walk(db, filter)
    if (found.length === limit) return found
    if (!after) rare.set(db, key, true)
  }
  return gather(db, filter)
}

function walk(db: Db, filter: VenueFilter): Promise<RankedVenue[]> {
  const { terms, match, limit } = filter
  const { values, bind } = binding()
  const steps = terms.length > 0 ? Math.max(SHORTEST_WALK, limit * WALK_PER_VENUE) : limit
  const walked = `${orderedVenues(filter, bind)} limit ${bind(steps)}`
  const labels = () =>
    `document @@ (select to_tsquery('english', ${bind(textQuery(terms, match, 'labels'))}))`
  return queryRows(
    db,
    rankedRow,
    `with walked as (${walked}),
     hit as (select id, slug, rank from walked ${terms.length > 0 ? `where ${labels()}` : ''}
       order by rank, slug limit ${bind(limit)})
     ${presented}`,
    values,
  )
}

function gather(db: Db, filter: VenueFilter): Promise<RankedVenue[]> {
  const { terms, match, after, limit } = filter
  const { values, bind } = binding()
  const matches = (asked: readonly Term[], how: 'all' | 'any', where: 'anywhere' | 'labels') =>
    `v.document @@ (select to_tsquery('english', ${bind(textQuery(asked, how, where))}))`
  const step = (condition: string, size: number) => `case when ${condition} then 0 else ${size} end`
  const steps = [
    step(matches(terms, match, 'labels'), LABEL_STEP),
    ...(match === 'any'
      ? terms.map((one) => step(matches([one], 'all', 'anywhere'), MISSING_STEP))
      : []),
  ]
  const rank = `(${[distanceOf(filter, bind), ...steps].join(' + ')})`
  const conditions = [matches(terms, match, 'anywhere'), ...conditionsOf(filter, bind)]
  const page = after
    ? `where (rank, slug) > (${bind(after.rank)}::float8, ${bind(after.slug)}::text)`
    : ''
  return queryRows(
    db,
    rankedRow,
    `with gathered as materialized (
       select v.id, v.slug, ${rank} as rank from venue v
       where ${conditions.join(' and ')} limit ${MOST_GATHERED}),
     hit as (select id, slug, rank from gathered ${page} order by rank, slug limit ${bind(limit)})
     ${presented}`,
    values,
  )
}

const presented = `select ${venueColumns}, hit.rank
     from hit join venue v on v.id = hit.id join area a on a.slug = v.area_slug
     order by hit.rank, hit.slug`

/** Those of the terms that occur in any venue of the scope, by their positions. */
export async function selectOccurringTerms(
  db: Db,
  scope: Pick<Scope, 'category' | 'areas'>,
  terms: readonly Term[],
): Promise<number[]> {
  const { values, bind } = binding()
  const all = { ...scope, origin: null, exceptNames: [], after: null }
  const conditions = ['v.document @@ asked.query', ...conditionsOf(all, bind)]
  const queries = terms.map((term) => textQuery([term], 'all', 'anywhere'))
  const rows = await queryRows(
    db,
    z.object({ position: z.number() }),
    `select asked.position - 1 as position
     from (select position, to_tsquery('english', text) as query
       from unnest(${bind(queries)}::text[]) with ordinality as u (text, position)) as asked
     where exists (select from venue v where ${conditions.join(' and ')})
     order by 1`,
    values,
  )
  return rows.map(({ position }) => position)
}

function binding() {
  const values: unknown[] = []
  return { values, bind: (value: unknown) => `$${values.push(value)}` }
}
