import { z } from 'zod'
import { createCache } from '../../platform/database/cache.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const areaSize = z.object({
  slug: z.string(),
  name: z.string(),
  city: z.string(),
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  venues: z.int(),
})
/** An area that has venues, and their number. */
export type AreaSize = z.infer<typeof areaSize>

// Counting a million venues takes a quarter of a second, and the counts change slowly.
const sizes = createCache<AreaSize[]>({ max: 1, ttlMs: 60_000, staleMs: 600_000 })

/** Every area that has venues, at most ten minutes old. */
export const selectRecentSizes = (db: Db): Promise<AreaSize[]> =>
  sizes(
    db,
    'areas',
    () =>
      query.rows(db, areaSize)`
      with size as (select area_slug, count(*) as venues from venue where not is_test
        group by area_slug)
      select a.slug, a.name, a.city, a.country, a.latitude, a.longitude, size.venues
      from size join area a on a.slug = size.area_slug order by a.name, a.slug`,
  )
