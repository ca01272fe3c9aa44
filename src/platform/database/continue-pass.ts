import { z } from 'zod'
import { type Pass, type Work, workThrough } from '../process/work-through.ts'
import type { Log } from '../telemetry/log.ts'
import { type Db, execute, type Pool, queryOptionalRow } from './sql.ts'

/**
 * Works through rows from where the last pass of this step ended, however that run of the sweep
 * ended, and stores where this one does.
 */
export async function continuePass<R>(
  { db, log }: { db: Pool; log: Log },
  step: string,
  work: Work<R>,
  isOver?: AbortSignal,
): Promise<Pass> {
  const after = await selectOptionalCursor(db, step)
  const pass = await workThrough(work, after, log, isOver)
  if (pass.next !== null) await upsertCursor(db, step, pass.next)
  else if (after !== null) await deleteCursor(db, step)
  return pass
}

const cursorRow = z.object({ after_id: z.uuid() })

const selectOptionalCursor = async (db: Db, step: string) =>
  (await queryOptionalRow(db, cursorRow)`select after_id from sweep_cursor where step = ${step}`)
    ?.after_id ?? null

const upsertCursor = (db: Db, step: string, after: string) =>
  execute(db)`
    insert into sweep_cursor (step, after_id) values (${step}, ${after})
    on conflict (step) do update set after_id = excluded.after_id`

const deleteCursor = (db: Db, step: string) =>
  execute(db)`delete from sweep_cursor where step = ${step}`
