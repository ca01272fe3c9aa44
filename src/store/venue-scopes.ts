import { type Category, categories } from '../model/rules.ts'

/** A point on the globe from which distances are meant. */
export type Origin = { latitude: number; longitude: number }

/** Which venues come into question, and in which order: by distance from the origin, or each from its area's centre. */
export type Scope = {
  category: Category | null
  areas: readonly string[] | null
  origin: Origin | null
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

/** The conditions of a scope but for its page. */
export function conditionsOf({ category, areas, exceptNames }: Scope, bind: Bind): string[] {
  return [
    ...(category ? [`v.category = ${bind(category)}`] : []),
    ...(areas ? [`v.area_slug = any(${bind(areas)}::text[])`] : []),
    ...(exceptNames.length > 0 ? [`v.plain_name <> all(${bind(exceptNames)}::text[])`] : []),
  ]
}

/**
 * `select … order by rank, slug` over the venues of a scope, which reads no more rows than are taken from it: an index for
 * each kind or area gives them in order, and the database merges these orders.
 */
export function orderedVenues(scope: Scope, bind: Bind): string {
  const { category, areas, origin, after } = scope
  const distance = distanceOf(scope, bind)
  const page = after ? pageAfter(distance, after, bind) : []
  const isMerged = !origin && areas !== null && areas.length <= MOST_MERGED
  const shared = conditionsOf(isMerged ? { ...scope, areas: null } : scope, bind)
  const branches = isMerged
    ? areas.map((area) => `v.area_slug = ${bind(area)}`)
    : category
      ? ['true']
      : categories.map((one) => `v.category = ${bind(one)}`)
  const branch = (condition: string) =>
    `select v.id, v.slug, v.document, ${distance} as rank from venue v
     where ${[condition, ...shared, ...page].join(' and ')}`
  return `${branches.map(branch).join(' union all ')} order by rank, slug`
}

const pageAfter = (
  distance: string,
  { rank, slug }: { rank: number; slug: string },
  bind: Bind,
) => [`(${distance}, v.slug) > (${bind(rank)}::float8, ${bind(slug)}::text)`]
