import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { OnClock } from '../../base/account-time.ts'
import { type Db, queryOptionalRow } from './sql.ts'

/**
 * SQL for the lead of an account's test clock over real time; null without one. The column needs
 * its table name: `account_id` alone would be that of the clock.
 */
export const aheadOf = (accountId: Sql) => sql`(
  select t.ahead_ms from test_clock t where t.account_id = ${accountId})`

/** SQL for whether an account lives in real time; others are left to their test clocks. */
export const isInRealTime = (accountId: Sql) => sql`not exists (
  select from test_clock t where t.account_id = ${accountId})`

/** The lead of a test clock in a row; null without one. */
export const aheadMs = z.int().nullable()

/** The lead of a row as the argument of a workflow has it. */
export const onClock = (ahead: number | null | undefined): OnClock =>
  ahead === null || ahead === undefined ? {} : { aheadMs: ahead }

const aheadRow = z.object({ ahead_ms: z.int() })

/** The argument of a workflow with its account's current clock. */
export async function readClock<S extends OnClock & { accountId: string }>(
  db: Db,
  start: S,
): Promise<S> {
  if (start.aheadMs === undefined) return start
  const clock = await queryOptionalRow(db, aheadRow)`
    select ahead_ms from test_clock where account_id = ${start.accountId}`
  return clock ? { ...start, aheadMs: clock.ahead_ms } : start
}
