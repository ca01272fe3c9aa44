import sql, { join } from 'sql-template-tag'
import { z } from 'zod'
import { type Db, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { loggedCallRow } from '../schema/usage.ts'

export type CallFilter = {
  accountId: string
  keyId: string | null
  door: string | null
  operation: string | null
  /** one code, or every code but `ok` */
  code: string | null
  isRefused: boolean
  from: Date | null
  before: Date | null
}

/** A page begins after this call. */
export type CallPosition = { at: Date; requestId: string }

/** The logged calls of an account, newest first. */
export async function selectCalls(
  db: Db,
  filter: CallFilter,
  page: { after: CallPosition | null; limit: number },
): Promise<z.output<typeof loggedCallRow>[]> {
  // Conditions that are not needed stay out, so that the planner knows how many rows match.
  const conditions = [
    sql`account_id = ${filter.accountId}`,
    filter.keyId !== null && sql`key_id = ${filter.keyId}`,
    filter.door !== null && sql`door = ${filter.door}`,
    filter.operation !== null && sql`operation = ${filter.operation}`,
    filter.code !== null && sql`code = ${filter.code}`,
    filter.isRefused && sql`code <> 'ok'`,
    filter.from !== null && sql`at >= ${filter.from}`,
    filter.before !== null && sql`at < ${filter.before}`,
    page.after !== null &&
      sql`(at, request_id) < (${page.after.at}, ${page.after.requestId}::uuid)`,
  ].filter((condition) => condition !== false)
  return queryRows(db, loggedCallRow)`
    select at, request_id, key_id, door, operation, code, ms, from_agent, calls
    from request_log where ${join(conditions, ' and ')}
    order by at desc, request_id desc limit ${page.limit}`
}

const newestRow = z.object({
  at: z.date(),
  door: z.string(),
  /** null when the call is no longer in the log, as is `code` */
  operation: z.string().nullable(),
  code: z.string().nullable(),
})
export type NewestCall = z.infer<typeof newestRow>

/**
 * The newest call with a key of the account: from its log, or from when its keys were last used.
 */
export const selectOptionalNewestCall = (
  db: Db,
  accountId: string,
): Promise<NewestCall | undefined> =>
  queryOptionalRow(db, newestRow)`
    (select at, door, operation, code, true as is_logged from request_log
     where account_id = ${accountId} order by at desc limit 1)
    union all
    (select last_used_at, last_used_door, null, null, false from api_key
     where account_id = ${accountId} and last_used_at is not null order by last_used_at desc
       limit 1)
    order by at desc, is_logged desc limit 1`
