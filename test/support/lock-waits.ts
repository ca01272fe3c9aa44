import type { Pool } from '../../src/platform/database/sql.ts'
import { eventually } from './programs.ts'

/** Resolves once at least this many transactions in this database wait for a lock. */
export const untilWaiting = (db: Pool, count: number): Promise<true> =>
  eventually(`${count} to wait for others`, async () => {
    const { rows } = await db.query(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0].waiting >= count
  })

/** Resolves once nothing else runs in this database, such as the commit of a killed process. */
export const untilQuiet = (db: Pool): Promise<true> =>
  eventually('the statements of a killed process to end', async () => {
    const { rows } = await db.query(
      `select count(*)::int as running from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    )
    return rows[0].running === 0
  })
