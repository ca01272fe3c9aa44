import { type Db, query } from '../../platform/database/sql.ts'

/**
 * Moves the venues of towns into the nearest of these finer areas whose radius contains them, and
 * updates distances from centres that moved; returns how many venues changed area.
 */
export async function moveIntoAreas(tx: Db, slugs: readonly string[]): Promise<number> {
  await query.execute(
    tx,
  )`update venue set area_slug = area_slug where area_slug = any(${slugs}::text[])`
  return query.execute(tx)`
    with found as (
      select v.id, finer.slug
      from area town
      join venue v on v.area_slug = town.slug
      cross join lateral (
        select n.slug from area n
        where n.slug = any(${slugs}::text[]) and n.timezone = town.timezone
          and n.currency = town.currency
          and v.spot <@ circle(map_point(n.longitude, n.latitude),
            n.radius_km / 111.2 / cos(radians(n.latitude)))
        order by v.spot <-> map_point(n.longitude, n.latitude), n.slug limit 1) finer
      where town.radius_km is null and not v.is_test)
    update venue v set area_slug = found.slug from found where found.id = v.id`
}
