import { createCache } from '../../platform/database/cache.ts'
import { text } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const pageStarts = createCache<string[]>({ max: 10, ttlMs: 60_000, staleMs: 600_000 })

/** Every `size`th venue slug in order: the starts of sitemap pages. */
export const selectRecentPageStarts = (db: Db, size: number): Promise<string[]> =>
  pageStarts(
    db,
    String(size),
    () => query.values(db, text)`
      select slug from (select slug, row_number() over (order by slug) - 1 as nth from venue
        where not is_test) v
      where nth % ${size} = 0 order by slug`,
  )

/** The slugs from this one onwards, in order. */
export const selectSlugs = (db: Db, from: string, limit: number): Promise<string[]> =>
  query.values(db, text)`
    select slug from venue where slug >= ${from} and not is_test order by slug limit ${limit}`
