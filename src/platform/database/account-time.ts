import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { OnClock } from '../../base/account-time.ts'
import { int } from './columns.ts'
import { type Db, query } from './sql.ts'

/**
 * SQL for the offset of an account's test clock from real time; null without one. Qualify the
 * column with its table: a bare `account_id` would mean the clock's.
 */
export const aheadOf = (accountId: Sql) => sql`(
  select t.ahead_ms from test_clock t where t.account_id = ${accountId})`

/** SQL for whether an account uses real time; the others follow their test clocks. */
export const isInRealTime = (accountId: Sql) => sql`not exists (
  select from test_clock t where t.account_id = ${accountId})`

/** A row's test-clock offset; null for an account without a test clock. */
export const aheadMs = z.int().nullable()

/** Converts a row's clock offset to the form used in workflow arguments. */
export const onClock = (ahead: number | null | undefined): OnClock =>
  ahead === null || ahead === undefined ? {} : { aheadMs: ahead }

/** A workflow argument with its account's current clock. */
export async function readClock<S extends OnClock & { accountId: string }>(
  db: Db,
  start: S,
): Promise<S> {
  if (start.aheadMs === undefined) return start
  const aheadMs = await query.optionalValue(db, int)`
    select ahead_ms from test_clock where account_id = ${start.accountId}`
  return aheadMs === undefined ? start : { ...start, aheadMs }
}
