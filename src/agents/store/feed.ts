import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, queryRow, queryRows } from '../../platform/database/sql.ts'
import { activityTypes } from '../rules/feed.ts'

const activityRow = z.object({
  number: z.int(),
  type: z.enum(activityTypes),
  venue_slug: z.string(),
  venue_name: z.string(),
  area: z.string(),
  hour: z.date(),
})
export type ActivityRow = z.infer<typeof activityRow>

const selectColumns = sql`select f.number, f.type, v.slug as venue_slug, v.name as venue_name,
    v.area_slug as area, f.hour
  from activity f join venue v on v.id = f.venue_id`

/** What is published, the newest first; of what has a lower number than `before`, if that is given. */
export const selectActivityBefore = (
  db: Db,
  { before, limit }: { before: number | null; limit: number },
): Promise<ActivityRow[]> =>
  queryRows(db, activityRow)`
    ${selectColumns} where ${before}::bigint is null or f.number < ${before} order by f.number desc
      limit ${limit}`

/** What was published after a number, in the order of publication. */
export const selectActivityAfter = (
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<ActivityRow[]> =>
  queryRows(db, activityRow)`
    ${selectColumns} where f.number > ${after} order by f.number limit ${limit}`

const lastRow = z.object({ last: z.int() })

/** The number of what was published last; 0 when nothing was. */
export const selectLastActivity = async (db: Db): Promise<number> =>
  (await queryRow(db, lastRow)`select coalesce(max(number), 0) as last from activity`).last
