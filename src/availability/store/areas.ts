import { z } from 'zod'
import { type Db, execute, queryRows } from '../../platform/database/sql.ts'

const areaRow = z.object({
  slug: z.string(),
  name: z.string(),
  aliases: z.array(z.string()),
  city: z.string(),
  country: z.string(),
  timezone: z.string(),
  latitude: z.number(),
  longitude: z.number(),
})
export type AreaRow = z.infer<typeof areaRow>

/** Every area by name: what search knows of places. */
export async function selectAreas(db: Db): Promise<AreaRow[]> {
  return queryRows(
    db,
    areaRow,
    `select slug, name, aliases, city, country, timezone, latitude, longitude
     from area order by name, slug`,
  )
}

export type NewArea = AreaRow & { currency: string }

/** Adds the areas that are not there yet; answers how many. */
export async function insertAreas(db: Db, areas: readonly NewArea[]): Promise<number> {
  return execute(
    db,
    `insert into area (slug, name, aliases, city, country, timezone, currency, latitude, longitude)
     select slug, name, aliases, city, country, timezone, currency, latitude, longitude
     from jsonb_to_recordset($1) as a (slug text, name text, aliases text[], city text,
       country text, timezone text, currency text, latitude float8, longitude float8)
     on conflict do nothing`,
    [JSON.stringify(areas)],
  )
}

const placedArea = areaRow.extend({
  timezone: z.string(),
  currency: z.string(),
  latitude: z.number(),
  longitude: z.number(),
})
/** An area and what a venue takes from it. */
export type PlacedArea = z.infer<typeof placedArea>

/** Every area with its centre, time zone and currency. */
export async function selectPlacedAreas(db: Db): Promise<PlacedArea[]> {
  return queryRows(
    db,
    placedArea,
    `select slug, name, aliases, city, country, timezone, currency, latitude, longitude
     from area order by slug`,
  )
}
