import { z } from 'zod'
import { SANDBOX_AREA } from '../../base/sandbox.ts'
import { type Db, execute, queryRows } from '../../platform/database/sql.ts'

const areaRow = z.object({
  slug: z.string(),
  name: z.string(),
  aliases: z.array(z.string()),
  city: z.string(),
  country: z.string(),
  timezone: z.string(),
  currency: z.string(),
  latitude: z.number(),
  longitude: z.number(),
})
export type AreaRow = z.infer<typeof areaRow>

/** The areas with public venues, or the area for test venues. */
export const selectAreas = (db: Db, isTest = false) =>
  queryRows(db, areaRow)`
    select slug, name, aliases, city, country, timezone, currency, latitude, longitude
    from area where (slug = ${SANDBOX_AREA}) = ${isTest} order by name, slug`

/** Adds missing areas and returns how many were added. */
export const insertAreas = (db: Db, areas: readonly AreaRow[]) =>
  execute(db)`
    insert into area (slug, name, aliases, city, country, timezone, currency, latitude, longitude)
    select slug, name, aliases, city, country, timezone, currency, latitude, longitude
    from jsonb_to_recordset(${JSON.stringify(areas)}) as a (slug text, name text, aliases text[],
      city text, country text, timezone text, currency text, latitude float8, longitude float8)
    on conflict do nothing`
