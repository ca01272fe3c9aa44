import { z } from 'zod'
import { createSharedMemory } from '../../platform/database/memory.ts'
import { type Db, queryRows } from '../../platform/database/sql.ts'

const areaSize = z.object({
  slug: z.string(),
  name: z.string(),
  city: z.string(),
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  venues: z.int(),
})
/** An area that has venues, and how many. */
export type AreaSize = z.infer<typeof areaSize>

/** Counting a million venues takes a quarter of a second, and what they add up to changes slowly. */
const RECENT = { freshMs: 60_000, keptMs: 600_000 }
const recent = createSharedMemory<AreaSize[]>(RECENT, 1)

/** Every area with venues, as of a minute ago or, for whoever asks first after that, up to ten. */
export const selectRecentSizes = (db: Db): Promise<AreaSize[]> =>
  recent(db, 'areas', () =>
    queryRows(
      db,
      areaSize,
      `with size as (select area_slug, count(*) as venues from venue group by area_slug)
       select a.slug, a.name, a.city, a.country, a.latitude, a.longitude, size.venues
       from size join area a on a.slug = size.area_slug order by a.name, a.slug`,
    ),
  )
