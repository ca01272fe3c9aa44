import { raw } from 'sql-template-tag'
import { z } from 'zod'
import { SANDBOX_AREA } from '../../base/sandbox.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const landmark = z.object({
  names: z.array(z.string()),
  latitude: z.number(),
  longitude: z.number(),
})

const areaRow = z.object({
  slug: z.string(),
  name: z.string(),
  aliases: z.array(z.string()),
  city: z.string(),
  city_aliases: z.array(z.string()),
  region: z.string().nullable(),
  country: z.string(),
  timezone: z.string(),
  currency: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** how far a finer area reaches; null for a town of the gazetteer */
  radius_km: z.number().nullable(),
  landmarks: z.array(landmark),
})
export type AreaRow = z.infer<typeof areaRow>

const names = Object.keys(areaRow.shape)
const columns = raw(names.join(', '))
const others = names.filter((name) => name !== 'slug')
const replaced = raw(
  `(slug) do update set ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`,
)

/** All areas except the area of the test venues. */
export const selectAreas = (db: Db) =>
  query.rows(db, areaRow)`
    select ${columns} from area where slug <> ${SANDBOX_AREA} order by name, slug`

/** The areas that have venues: public ones, or the test venues. */
export const selectAreasWithVenues = (db: Db, isTest = false) =>
  query.rows(db, areaRow)`
    select ${columns} from area
    where (slug = ${SANDBOX_AREA}) = ${isTest}
      and exists (select from venue where area_slug = area.slug and is_test = ${isTest})
    order by name, slug`

type NewArea = Omit<AreaRow, 'city_aliases' | 'region' | 'radius_km' | 'landmarks'> &
  Partial<AreaRow>

/** Adds areas; `renew` also replaces existing ones. Returns how many were written. */
export const insertAreas = (db: Db, areas: readonly NewArea[], renew = false) =>
  query.execute(db)`
    insert into area (${columns})
    select slug, name, aliases, city, coalesce(city_aliases, '{}'), region, country, timezone,
      currency, latitude, longitude, radius_km, coalesce(landmarks, '[]')
    from jsonb_to_recordset(${JSON.stringify(areas)}) as a (slug text, name text, aliases text[],
      city text, city_aliases text[], region text, country text, timezone text, currency text,
      latitude float8, longitude float8, radius_km float8, landmarks jsonb)
    on conflict ${renew ? replaced : raw('do nothing')}`
