import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type VenueRow, venueColumns, venueRow } from '../../availability/store/venues.ts'
import type { NeededFact } from '../../base/venue-facts.ts'
import { slugInCursor } from '../../contract/cursor.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { type FactFilter, factQuery, type Term, textQuery } from './text-query.ts'
import {
  conditionsOf,
  distanceOf,
  type IndexedFacet,
  orderedVenues,
  type VenueScope,
  withoutNothing,
} from './venue-scopes.ts'

/** A selection of venues, and one page of it: lowest rank first, then by slug. */
export type VenueFilter = VenueScope & {
  /** `match`: whether all terms must occur, or any one */
  terms: readonly Term[]
  match: 'all' | 'any'
  facts?: FactFilter
  limit: number
}

/** The columns of a venue and its rank. */
export const rankedRow = venueRow
  .extend({ rank: z.number() })
  .transform(({ rank, ...venue }) => ({ rank, venue }))
/** A venue, and its position in the order. */
export type RankedVenue = z.infer<typeof rankedRow>

/** Exceeds any distance: matches in names and tags come before those in descriptions. */
export const LABEL_STEP = 1_000
/** Exceeds any distance plus `LABEL_STEP`: if any term may match, fewest missing terms first. */
export const MISSING_STEP = 10_000

/** Whether a document contains the words of a text query. */
const hasWords = (document: Sql, words: string) =>
  sql`${document} @@ (select to_tsquery('english', ${words}))`

/** How many venues to walk per requested venue before gathering and sorting the matches instead. */
const WALK_PER_VENUE = 40
const MIN_WALK = 1_000
/** Sorts at most this many matches; commoner words fill the page during the index walk. */
const MAX_GATHERED = 5_000

/**
 * A page of venues, found in a time that barely grows with their number. Walks them in index order,
 * checking for words; words too rare for a walk occur at few venues, which can be sorted.
 */
export async function selectVenues(db: Db, filter: VenueFilter): Promise<RankedVenue[]> {
  const { terms, facts, limit } = filter
  const isCommon = terms.length === 0 && facts?.known !== 'yes'
  if (isCommon) return walk(db, filter)
  const rows = canWalk(filter) ? await walk(db, filter) : []
  return rows.length === limit ? rows : gather(db, filter)
}

/** The words of a filter in `to_tsquery` syntax; empty if it has none. */
const wordsOf = (
  { terms, match, facts }: Pick<VenueFilter, 'terms' | 'match' | 'facts'>,
  where: 'anywhere' | 'labels',
): string =>
  [terms.length > 0 && `(${textQuery(terms, match, where)})`, facts && factQuery(facts)]
    .filter(Boolean)
    .join(' & ')

/** Where a page of a list starts: after this venue, among venues whose facts are known or not. */
export const pageStart = z.strictObject({
  rank: z.number(),
  slug: slugInCursor,
  unknown: z.literal(true).optional(),
})
export type PageStart = z.infer<typeof pageStart>

type Page = Pick<VenueFilter, 'isTest' | 'category' | 'areas' | 'limit'> & {
  /** the facts that the venues must have; venues whose facts are unknown come last */
  needed: readonly NeededFact[]
  after: PageStart | null
}

/** A page of the venues in a category and areas, and the last of them if there are more. */
export async function selectVenuePage(
  db: Db,
  { limit, needed, after, ...page }: Page,
): Promise<{ venues: VenueRow[]; next: PageStart | null }> {
  const [origin, radiusKm] = [null, null]
  const all = { origin, radiusKm, without: withoutNothing, terms: [], match: 'all' } as const
  const find = (known: FactFilter['known'], start: Page['after'], count: number) =>
    selectVenues(db, { ...all, ...page, facts: { needed, known }, after: start, limit: count })
  const isPast = after?.unknown === true
  const first = isPast ? [] : await find(needed.length > 0 ? 'yes' : null, after, limit + 1)
  const room = needed.length > 0 ? limit + 1 - first.length : 0
  const others = room > 0 ? await find('no', isPast ? after : null, room) : []
  const rows = [...first, ...others]
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const unknown = limit > first.length || undefined
  return {
    venues: rows.slice(0, limit).map(({ venue }) => venue),
    next: last ? { rank: last.rank, slug: last.venue.slug, unknown } : null,
  }
}

/** A walk orders by distance alone, so all venues on it must match equally well. */
const canWalk = ({ terms, match, after }: VenueFilter): boolean =>
  (match === 'all' || terms.length === 2) && (after?.rank ?? 0) % MISSING_STEP < LABEL_STEP

/** Venues with one of two terms; those with both came earlier (`match: 'all'`). */
const missingOnWalk = ({ match }: VenueFilter): number => (match === 'any' ? MISSING_STEP : 0)

/** Exceeds the rounding error of adding `MISSING_STEP` to a distance. */
const ROUNDING = 1e-9

function walk(db: Db, filter: VenueFilter): Promise<RankedVenue[]> {
  const { limit, after } = filter
  const words = wordsOf(filter, 'labels')
  const steps = words ? Math.max(MIN_WALK, limit * WALK_PER_VENUE) : limit
  const missing = missingOnWalk(filter)
  const page = after && missing > 0 ? { ...after, rank: after.rank - missing - ROUNDING } : after
  const walked = orderedVenues({ ...filter, after: page }, steps)
  const conditions = [
    ...(words ? [hasWords(sql`document`, words)] : []),
    // This condition is exact; the walk begins a little before the previous page's last venue.
    ...(after && missing > 0
      ? [sql`(rank + ${raw(String(missing))}, slug) > (${after.rank}::float8, ${after.slug}::text)`]
      : []),
  ]
  const where = conditions.length > 0 ? sql`where ${join(conditions, ' and ')}` : empty
  return query.rowsUnprepared(db, rankedRow)`
    with walked as (${walked}),
    hit as (select id, slug, rank + ${raw(String(missing))} as rank from walked ${where}
      order by walked.rank, slug limit ${limit})
    ${presented}`
}

function gather(db: Db, filter: VenueFilter): Promise<RankedVenue[]> {
  const { terms, match, after, limit } = filter
  const matches = (these: readonly Term[], how: 'all' | 'any', where: 'anywhere' | 'labels') =>
    hasWords(sql`v.document`, textQuery(these, how, where))
  const step = (condition: Sql, size: number) =>
    sql`case when ${condition} then 0 else ${raw(String(size))} end`
  const steps = [
    ...(terms.length > 0 ? [step(matches(terms, match, 'labels'), LABEL_STEP)] : []),
    ...(match === 'any'
      ? terms.map((one) => step(matches([one], 'all', 'anywhere'), MISSING_STEP))
      : []),
  ]
  const rank = sql`(${join([distanceOf(filter), ...steps], ' + ')})`
  const facets = conditionsOf(filter, indexedFacet(filter))
  const conditions = [hasWords(sql`v.document`, wordsOf(filter, 'anywhere')), ...facets]
  const page = after
    ? sql`where (rank, slug) > (${after.rank}::float8, ${after.slug}::text)`
    : empty
  return query.rowsUnprepared(db, rankedRow)`
    with gathered as materialized (
      select v.id, v.slug, ${rank} as rank from venue v
      where ${join(conditions, ' and ')} limit ${MAX_GATHERED}),
    hit as (select id, slug, rank from gathered ${page} order by rank, slug limit ${limit})
    ${presented}`
}

const frequenciesRow = z.object({ found: z.array(z.enum(['common', 'rare', 'none'])) })

/**
 * For each term, how many venues of a kind and areas have it: enough for a walk, few, or none. A
 * single statement, because each statement wakes a connection.
 */
export async function selectFrequencies(
  db: Db,
  wanted: Omit<VenueScope, 'after'>,
  terms: readonly Term[],
) {
  const scope = { ...wanted, after: null }
  const facets = (term: Term) =>
    conditionsOf(scope, indexedFacet({ ...scope, terms: [term], match: 'all', limit: 1 }))
  const rare = terms.map((term, nth) => {
    const has = hasWords(sql`v.document`, textQuery([term], 'all', 'anywhere'))
    return sql`rare_${raw(String(nth))} as materialized (
      select v.id from venue v where ${join([has, ...facets(term)], ' and ')}
      limit ${MAX_GATHERED})`
  })
  const selects = terms.map(
    (term, nth) => sql`
      case when exists (
          select from walked where ${hasWords(sql`document`, textQuery([term], 'all', 'labels'))}
        ) then 'common'
        when exists (select from rare_${raw(String(nth))}) then 'rare' else 'none' end`,
  )
  const [row] = await query.rowsUnprepared(db, frequenciesRow)`
    with walked as materialized (${orderedVenues(scope, MIN_WALK)}),
    ${join(rare, ', ')}
    select array[${join(selects, ', ')}] as found`
  return row?.found ?? []
}

const presented = sql`
  select ${venueColumns}, hit.rank
  from hit join venue v on v.id = hit.id join area a on a.slug = v.area_slug
  order by hit.rank, hit.slug`

/** Each area costs an index search, and a kind has a long list: used for few areas, or one word. */
const MAX_LISTED_AREAS = 6
const indexedFacet = ({ areas, terms, facts }: VenueFilter): IndexedFacet => {
  if (areas && areas.length <= MAX_LISTED_AREAS) return 'areas'
  // Half of all venues may have a fact, so walking a kind's list takes no longer than a fact's.
  return facts?.known === 'yes' || terms.length === 1 ? 'category' : null
}
