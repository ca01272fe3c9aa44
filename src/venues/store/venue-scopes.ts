import sql, { join, raw, type Sql } from 'sql-template-tag'
import { SANDBOX_AREA } from '../../base/sandbox.ts'
import { type Category, categories } from '../../base/venue-kinds.ts'
import { type Term, textQuery } from './text-query.ts'

/** A point on the globe, used as the origin of distances. */
export type LatLng = { latitude: number; longitude: number }

/** Venues that are left out, whatever else they have. */
export type Without = {
  /** plain names */
  names: readonly string[]
  areas: readonly string[]
  categories: readonly Category[]
  /** words in names, tags and, where there is food or drink, descriptions */
  terms: readonly Term[]
  /** labels of which any one outweighs these words */
  unless: readonly Term[]
}
export const withoutNothing: Without = {
  names: [],
  areas: [],
  categories: [],
  terms: [],
  unless: [],
}

/** A selection of venues, ordered by distance from the origin or from their area's centre. */
export type VenueScope = {
  /** whether to select test venues only; otherwise none of them */
  isTest: boolean
  category: Category | null
  areas: readonly string[] | null
  origin: LatLng | null
  /** how far from the origin; null for any distance */
  radiusKm: number | null
  without: Without
  /** the last venue of the previous page; ranks begin with the distance */
  after: { rank: number; slug: string } | null
}

/** With more areas than this, walk an index of all areas instead of merging one walk per area. */
const MAX_MERGED = 16

/** The distance by which venues `v` are ordered. */
export const distanceOf = ({ origin }: Pick<VenueScope, 'origin'>) =>
  origin
    ? sql`(v.spot <-> map_point(${origin.longitude}::float8, ${origin.latitude}::float8))`
    : sql`v.off_centre`

/** The facet to look up in an index together with the words; other facets filter the result. */
export type IndexedFacet = 'category' | 'areas' | null

/** The conditions of a scope, apart from its page; only the `indexed` facet uses an index. */
export function conditionsOf(
  { isTest, category, areas, origin, radiusKm, without }: VenueScope,
  indexed?: IndexedFacet,
): Sql[] {
  const column = (name: string, facet: IndexedFacet) =>
    indexed === undefined || indexed === facet ? sql`v.${raw(name)}` : sql`(v.${raw(name)} || '')`
  return [
    // All test venues are in one area, so its index finds them.
    isTest ? sql`v.is_test and v.area_slug = ${SANDBOX_AREA}` : sql`not v.is_test`,
    ...(category ? [sql`${column('category', 'category')} = ${category}`] : []),
    ...(areas ? [sql`${column('area_slug', 'areas')} = any(${areas}::text[])`] : []),
    ...(origin && radiusKm !== null ? [isWithin(origin, radiusKm)] : []),
    ...conditionsWithout(without),
  ]
}

function conditionsWithout({ names, areas, categories: kinds, terms, unless }: Without): Sql[] {
  return [
    ...(names.length > 0 ? [sql`v.plain_name <> all(${names}::text[])`] : []),
    ...(areas.length > 0 ? [sql`v.area_slug <> all(${areas}::text[])`] : []),
    ...(kinds.length > 0 ? [sql`v.category <> all(${kinds}::text[])`] : []),
    ...(terms.length > 0 ? [isWithout(terms, unless)] : []),
  ]
}

const isWithout = (terms: readonly Term[], unless: readonly Term[]): Sql => {
  const without = lacks(textQuery(terms, 'any', 'anywhere'))
  if (unless.length === 0) return without
  const words = textQuery(unless, 'any', 'labels')
  return sql`(${without} or v.document @@ (select to_tsquery('english', ${words})))`
}

/** A document also has the words of services: a venue with others, too, can still be shown. */
const lacks = (words: string): Sql => sql`
  not (v.document @@ (select to_tsquery('english', ${words}))
    and to_tsvector('english', concat_ws(' ', v.plain_name, plain_words(concat_ws(' ',
      array_to_string(v.tags || v.cuisine, ' '),
      case when v.category in ('restaurant', 'bar') then v.description end))))
      @@ (select to_tsquery('english', ${words})))`

const KM_PER_DEGREE = 111.2

/** The map of `map_point` is the larger, the further from the equator. */
function isWithin({ latitude, longitude }: LatLng, km: number): Sql {
  const degrees = km / KM_PER_DEGREE / Math.cos((latitude * Math.PI) / 180)
  return sql`v.spot <@ circle(map_point(${longitude}::float8, ${latitude}::float8),
    ${degrees}::float8)`
}

/**
 * `select … order by rank, slug limit …` over the venues of a scope; reads no more rows than are
 * taken from it. An index yields each kind or area in order, and the database merges these. Each
 * has the overall limit, as PostgreSQL keeps only limited subqueries in order.
 */
export function orderedVenues(scope: VenueScope, limit: number): Sql {
  const { category, areas, origin, after } = scope
  const distance = distanceOf(scope)
  const page = after ? [pageAfter(distance, after)] : []
  const isMerged = !origin && areas !== null && areas.length <= MAX_MERGED
  const shared = conditionsOf(isMerged ? { ...scope, areas: null } : scope)
  const branches = isMerged
    ? areas.map((area) => sql`v.area_slug = ${area}`)
    : category
      ? [sql`true`]
      : categories.map((one) => sql`v.category = ${one}`)
  const most = sql`order by rank, slug limit ${limit}`
  const branch = (condition: Sql) => sql`
    (select v.id, v.slug, v.document, ${distance} as rank from venue v
      where ${join([condition, ...shared, ...page], ' and ')} ${most})`
  const all = join(branches.map(branch), ' union all ')
  return branches.length > 1 ? sql`${all} ${most}` : all
}

const pageAfter = (distance: Sql, { rank, slug }: { rank: number; slug: string }) =>
  sql`(${distance}, v.slug) > (${rank}::float8, ${slug}::text)`
