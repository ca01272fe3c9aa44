import sql, { raw, type Sql } from 'sql-template-tag'
import { beginPass, MAX_MS, type Pass, type Work, workThrough } from '../process/work-through.ts'
import type { Log } from '../telemetry/log.ts'
import { text, uuid } from './columns.ts'
import { recordFailing } from './failing-rows.ts'
import type { PassName } from './passes.ts'
import { type Db, type Pool, query } from './sql.ts'

export type PassDeps = { db: Pool; log: Log }

/**
 * Works through rows from the first, or from the one after `after`. A failing row does not stop the
 * others; operators see it until a pass succeeds on it.
 */
export async function runPass<R>(
  { db, log }: PassDeps,
  step: PassName,
  work: Work<R>,
  { after = null, isOver }: { after?: string | null; isOver?: AbortSignal | undefined } = {},
): Promise<Pass> {
  const { pass, failedRows } = await workThrough(work, after, log, isOver)
  await recordFailing(db, step, failedRows, { after, until: pass.next })
  return pass
}

/**
 * Works through rows from where this step's last pass ended, even if that sweep failed, and stores
 * where this pass ends.
 */
export async function continuePass<R>(
  deps: PassDeps,
  step: PassName,
  work: Work<R>,
  isOver?: AbortSignal,
): Promise<Pass> {
  const { db } = deps
  const after = await selectOptionalCursor(db, step)
  const pass = await runPass(deps, step, work, { after, isOver })
  if (pass.next !== null) await upsertCursor(db, step, pass.next)
  else if (after !== null) await deleteCursor(db, step)
  return pass
}

const selectOptionalCursor = async (db: Db, step: string) =>
  (await query.optionalValue(db, uuid)`
    select after_id from sweep_cursor where step = ${step}`) ?? null

const upsertCursor = (db: Db, step: string, after: string) =>
  query.execute(db)`
    insert into sweep_cursor (step, after_id) values (${step}, ${after})
    on conflict (step) do update set after_id = excluded.after_id`

const deleteCursor = (db: Db, step: string) =>
  query.execute(db)`delete from sweep_cursor where step = ${step}`

/** Due rows in a table, to erase or change. */
export type DueRows = {
  from: string
  /** columns by which operators find a row: ids only, never text that people wrote */
  id: string
  where: Sql
  order: string
  /** run instead of deleting the rows with these ids; must use `ids` only once */
  change?: (ids: Sql) => Sql
  /** erases rows strictly in this order */
  isInOrder?: true
}

/** Rows of a table whose time is before an instant, or whose day (YYYY-MM-DD) is earlier. */
export const rowsBefore = (
  from: string,
  time: string,
  before: Date | string,
  id: string,
  where = sql`true`,
): DueRows => ({ from, id, order: time, where: sql`${raw(time)} < ${before} and ${where}` })

/** Rows per statement: few enough that it does not hold locks for long. */
const ERASED_BATCH = 1_000
/** After this many consecutive failures, something other than the rows is the cause. */
const MAX_FAILURES_IN_A_ROW = 20

/**
 * Erases due rows, up to `max` and for at most 20 s. Retries a failing statement with fewer rows;
 * skips a row that fails on its own, and shows it to operators.
 */
export async function eraseThrough(
  deps: PassDeps,
  step: PassName,
  rows: DueRows,
  max?: number,
): Promise<Pass> {
  const { pass, failedRows } = await erasePast(deps, rows, max)
  await recordFailing(deps.db, step, failedRows, { after: null, until: null })
  return pass
}

/** Like `eraseThrough`, but leaves failed rows to the caller. */
export async function erasePast(
  { db, log }: PassDeps,
  { from, id, where, order, change, isInOrder }: DueRows,
  max = Number.POSITIVE_INFINITY,
) {
  const isOver = AbortSignal.timeout(MAX_MS)
  const { pass, failedRows, fail } = beginPass(null, log)
  const listed = (columns: string, limit: number) => sql`
    select ${raw(columns)} from ${raw(from)} where ${where} order by ${raw(order)}
    limit ${limit} offset ${pass.failed}`
  const due = (columns: string, limit: number) =>
    sql`${listed(columns, limit)} for no key update skip locked`
  const erase = (limit: number) =>
    query.execute(db)`${
      change?.(due(id, limit)) ??
      sql`delete from ${raw(from)} where ctid = any(array(${due('ctid', limit)}))`
    }`
  let inARow = 0
  const passOverRow = async (error: unknown) => {
    inARow += 1
    if (inARow > MAX_FAILURES_IN_A_ROW) throw error
    const name = `concat_ws(' ', ${id}) as id`
    const free = await query.optionalValue(db, text)`${due(name, 1)}`
    // PostgreSQL reports an error before it releases the statement's locks.
    const failed = free ?? (await query.optionalValue(db, text)`${listed(name, 1)}`)
    if (failed !== undefined) fail(failed, error)
  }
  let size = ERASED_BATCH
  while (!isOver.aborted && pass.done < max) {
    const limit = Math.min(size, max - pass.done)
    const [erased] = await Promise.allSettled([erase(limit)])
    if (erased.status === 'fulfilled') {
      pass.done += erased.value
      if (erased.value < limit) break
      inARow = 0
      size = Math.min(ERASED_BATCH, size * 10)
    } else if (limit > 1) {
      size = Math.ceil(limit / 10)
    } else {
      await passOverRow(erased.reason)
      if (isInOrder) break
    }
  }
  return { pass, failedRows }
}
