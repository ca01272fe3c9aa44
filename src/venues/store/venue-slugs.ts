import { z } from 'zod'
import { createCache } from '../../platform/database/cache.ts'
import { type Db, queryRows } from '../../platform/database/sql.ts'

const slugRow = z.object({ slug: z.string() })

const pageStarts = createCache<string[]>({ max: 10, ttlMs: 60_000, staleMs: 600_000 })

/** Every `size`th venue slug in order: the starts of sitemap pages. */
export const selectRecentPageStarts = (db: Db, size: number): Promise<string[]> =>
  pageStarts(db, String(size), async () => {
    const rows = await queryRows(db, slugRow)`
      select slug from (select slug, row_number() over (order by slug) - 1 as nth from venue
        where not is_test) v
      where nth % ${size} = 0 order by slug`
    return rows.map(({ slug }) => slug)
  })

/** The slugs from this one onwards, in order. */
export async function selectSlugs(db: Db, from: string, limit: number): Promise<string[]> {
  const rows = await queryRows(db, slugRow)`
    select slug from venue where slug >= ${from} and not is_test order by slug limit ${limit}`
  return rows.map(({ slug }) => slug)
}
