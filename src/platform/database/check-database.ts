import type { Db } from './sql.ts'

/** Resolves when the database answers. */
export async function checkDatabase(db: Db): Promise<void> {
  await db.query('select 1')
}
