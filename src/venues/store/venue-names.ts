import { z } from 'zod'
import { venueColumns } from '../../availability/store/venues.ts'
import type { Category } from '../../base/venue-kinds.ts'
import { text } from '../../platform/database/columns.ts'
import { type Db, queryRows, queryValues } from '../../platform/database/sql.ts'
import { type RankedVenue, rankedRow } from './venue-search.ts'

/** The required kind and areas of a venue; null for any. */
type Facets = { isTest: boolean; category: Category | null; areas: readonly string[] | null }

/** Those `names` that belong to venues in the facets or, if distinctive, to any venue. */
export function selectExistingNames(
  db: Db,
  query: Facets & { names: readonly string[]; distinctive: readonly string[] },
): Promise<string[]> {
  const { isTest, names, distinctive, category, areas } = query
  return queryValues(db, text)`
    select asked.name from unnest(${names}::text[]) as asked (name)
    where exists (select from venue v where v.plain_name = asked.name and v.is_test = ${isTest}
      and (asked.name = any(${distinctive}::text[])
        or (v.category = coalesce(${category}, v.category)
        and (${areas}::text[] is null or v.area_slug = any(${areas}::text[])))))`
}

const namedSpot = z.object({
  name: z.string(),
  plain_name: z.string(),
  slug: z.string(),
  area: z.string(),
  area_slug: z.string(),
  latitude: z.number(),
  longitude: z.number(),
})
/** The position of a venue of this name. */
export type NamedSpot = z.infer<typeof namedSpot>

const MAX_SPOTS = 50

/** The positions of the venues with these plain names. */
export const selectNamedSpots = (db: Db, names: readonly string[], isTest: boolean) =>
  queryRows(db, namedSpot)`
    select v.name, v.plain_name, v.slug, a.name as area, v.area_slug, v.latitude, v.longitude
    from venue v join area a on a.slug = v.area_slug
    where v.plain_name = any(${names}::text[]) and v.is_test = ${isTest}
    order by length(v.plain_name) desc, v.slug limit ${MAX_SPOTS}`

/** The rank of a named venue outside the searched areas; inside them it is 0. */
export const NAMED_ELSEWHERE = 1

/** A page of the venues with this plain name; venues in the `first` areas come first. */
export function selectNamedVenues(
  db: Db,
  query: Facets & {
    name: string
    first: readonly string[]
    after: { rank: number; slug: string } | null
    limit: number
  },
): Promise<RankedVenue[]> {
  const { isTest, name, category, areas, first, after, limit } = query
  return queryRows(db, rankedRow)`
    with named as (
      select v.id, v.slug, (case when v.area_slug = any(${first}::text[]) then 0
        else ${NAMED_ELSEWHERE} end)::float8 as rank
      from venue v
      where v.plain_name = ${name} and v.is_test = ${isTest}
        and v.category = coalesce(${category}, v.category)
        and (${areas}::text[] is null or v.area_slug = any(${areas}::text[])))
    select ${venueColumns}, hit.rank
    from (select id, slug, rank from named where (rank, slug) > (${after?.rank ?? -1}::float8,
      ${after?.slug ?? ''}::text)
      order by rank, slug limit ${limit}) as hit
    join venue v on v.id = hit.id join area a on a.slug = v.area_slug
    order by hit.rank, hit.slug`
}
