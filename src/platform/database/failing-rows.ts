import { z } from 'zod'
import type { FailedRow } from '../process/work-through.ts'
import { timeInPage } from './columns.ts'
import type { PassName } from './passes.ts'
import { type Db, query } from './sql.ts'

/** The ids that a pass covered: above `after`, up to `until`; null means no limit. */
type Part = { after: string | null; until: string | null }

/** How long a failing row remains listed once no pass selects it. */
const LISTED_DAYS = 1

/** Records the rows that failed in a pass; removes those within the same part that succeeded. */
export async function recordFailing(
  db: Db,
  step: PassName,
  failed: readonly FailedRow[],
  { after, until }: Part,
): Promise<void> {
  const ids = failed.map(({ id }) => id)
  await query.execute(db)`
    delete from failing_row where step = ${step} and row_id <> all(${ids}::text[])
      and (${after}::text is null or row_id > ${after})
      and (${until}::text is null or row_id <= ${until})
    or failed_at < now() - make_interval(days => ${LISTED_DAYS})`
  if (failed.length === 0) return
  await query.execute(db)`
    insert into failing_row (step, row_id, error)
    select distinct on (id) ${step}, id, error
    from unnest(${ids}::text[], ${failed.map(({ error }) => error)}::text[]) as f (id, error)
    on conflict (step, row_id) do update
    set error = excluded.error, tries = failing_row.tries + 1, failed_at = excluded.failed_at`
}

const failingRow = z.object({
  step: z.string(),
  row_id: z.string(),
  error: z.string(),
  tries: z.int(),
  since: timeInPage,
  failed_at: timeInPage,
})
export type FailingRow = z.infer<typeof failingRow>

/** Rows on which passes fail, longest failing first. */
export const selectFailingRows = (db: Db, limit: number) =>
  query.rows(db, failingRow)`
    select step, row_id, error, tries, since, failed_at from failing_row
    order by since, step, row_id limit ${limit}`

const countRow = z.object({ step: z.string(), count: z.int() })

/** The number of failing rows per pass, across all its parts. */
export const countFailingRows = (db: Db) =>
  query.rows(db, countRow)`
    select split_part(step, ' ', 1) as step, count(*)::int as count from failing_row
    group by 1 order by 1`
