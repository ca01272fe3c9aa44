import { type Pass, type Work, workThrough } from '../process/work-through.ts'
import type { Log } from '../telemetry/log.ts'
import { uuid } from './columns.ts'
import { recordFailing } from './failing-rows.ts'
import type { PassName } from './passes.ts'
import { type Db, execute, type Pool, queryOptionalValue } from './sql.ts'

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
  (await queryOptionalValue(db, uuid)`
    select after_id from sweep_cursor where step = ${step}`) ?? null

const upsertCursor = (db: Db, step: string, after: string) =>
  execute(db)`
    insert into sweep_cursor (step, after_id) values (${step}, ${after})
    on conflict (step) do update set after_id = excluded.after_id`

const deleteCursor = (db: Db, step: string) =>
  execute(db)`delete from sweep_cursor where step = ${step}`
