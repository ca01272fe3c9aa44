import { type Category, categories } from '../../contract/rules/venue-kinds.ts'

/** A point on the globe from which distances are meant. */
export type LatLng = { latitude: number; longitude: number }

/** Which venues come into question, and in which order: by distance from the origin, or each from its area's centre. */
export type Scope = {
  category: Category | null
  areas: readonly string[] | null
  origin: LatLng | null
  /** plain names of venues that are left out */
  exceptNames: readonly string[]
  /** the last of the page before; ranks begin with the distance */
  after: { rank: number; slug: string } | null
}

type Bind = (value: unknown) => string

/** Orders of more areas than this are not merged: an index of all areas is walked instead. */
const MOST_MERGED = 16

/** The distance by which venues `v` are ordered. */
export const distanceOf = ({ origin }: Pick<Scope, 'origin'>, bind: Bind): string =>
  origin
    ? `(v.spot <-> map_point(${bind(origin.longitude)}::float8, ${bind(origin.latitude)}::float8))`
    : 'v.off_centre'

/** Which facet is looked up in an index with the words; one that is not is checked on what was found. */
export type IndexedFacet = 'category' | 'areas' | null

/** The conditions of a scope but for its page; with `indexed`, others than that are kept from being looked up. */
export function conditionsOf(
  { category, areas, exceptNames }: Scope,
  bind: Bind,
  indexed?: IndexedFacet,
): string[] {
  const column = (name: string, facet: IndexedFacet) =>
    indexed === undefined || indexed === facet ? `v.${name}` : `(v.${name} || '')`
  return [
    ...(category ? [`${column('category', 'category')} = ${bind(category)}`] : []),
    ...(areas ? [`${column('area_slug', 'areas')} = any(${bind(areas)}::text[])`] : []),
    ...(exceptNames.length > 0 ? [`v.plain_name <> all(${bind(exceptNames)}::text[])`] : []),
  ]
}

/**
 * `select … order by rank, slug limit …` over the venues of a scope, which reads no more rows than are taken from it: an index
 * for each kind or area gives them in order, and the database merges these orders. Each has the limit of the whole, as only
 * a limit keeps it an order of its own.
 */
export function orderedVenues(scope: Scope, limit: number, bind: Bind): string {
  const { category, areas, origin, after } = scope
  const distance = distanceOf(scope, bind)
  const page = after ? [pageAfter(distance, after, bind)] : []
  const isMerged = !origin && areas !== null && areas.length <= MOST_MERGED
  const shared = conditionsOf(isMerged ? { ...scope, areas: null } : scope, bind)
  const branches = isMerged
    ? areas.map((area) => `v.area_slug = ${bind(area)}`)
    : category
      ? ['true']
      : categories.map((one) => `v.category = ${bind(one)}`)
  const most = `order by rank, slug limit ${bind(limit)}`
  const branch = (condition: string) =>
    `(select v.id, v.slug, v.document, ${distance} as rank from venue v
      where ${[condition, ...shared, ...page].join(' and ')} ${most})`
  const [only = '', ...more] = branches.map(branch)
  return more.length > 0 ? `${[only, ...more].join(' union all ')} ${most}` : only
}

const pageAfter = (
  distance: string,
  { rank, slug }: { rank: number; slug: string },
  bind: Bind,
) => [`(${distance}, v.slug) > (${bind(rank)}::float8, ${bind(slug)}::text)`]
