import sql, { join } from 'sql-template-tag'
import { z } from 'zod'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { loggedCall } from '../schema/usage.ts'

export type CallFilter = {
  accountId: string
  keyId: string | null
  door: string | null
  operation: string | null
  /** one code, or every code except `ok` */
  code: string | null
  isRefused: boolean
  /** the first digit of the HTTP status */
  statusClass: number | null
  /** a booking: calls about it, or about a group that contains it */
  booking: string | null
  from: Date | null
  before: Date | null
  /** only calls before this one */
  after: { at: Date; id: string } | null
  limit: number
}

const callRow = loggedCall.extend({ at: isoTime })
const callColumns = sql`at, request_id, key_id, door, method, path, target, operation, status, code,
  round(ms::numeric, 1) as ms, from_agent as "from", calls`

/** An account's logged calls, newest first. */
export const selectCalls = (db: Db, { after, ...filter }: CallFilter) => {
  // Omits unused conditions, so that the planner can estimate the number of rows.
  const conditions = [
    sql`account_id = ${filter.accountId}`,
    filter.keyId !== null && sql`key_id = ${filter.keyId}`,
    filter.door !== null && sql`door = ${filter.door}`,
    filter.operation !== null && sql`operation = ${filter.operation}`,
    filter.code !== null && sql`code = ${filter.code}`,
    filter.isRefused && sql`code <> 'ok'`,
    filter.statusClass !== null && sql`status / 100 = ${filter.statusClass}`,
    filter.booking !== null &&
      sql`subject_id is not null and subject_id = any(array(
        select ${filter.booking}::uuid union all
        select group_id from group_member where booking_id = ${filter.booking}))`,
    filter.from !== null && sql`at >= ${filter.from}`,
    filter.before !== null && sql`at < ${filter.before}`,
    after !== null && sql`(at, request_id) < (${after.at}, ${after.id}::uuid)`,
  ].filter((condition) => condition !== false)
  return query.rowsUnprepared(db, callRow)`
    select ${callColumns} from request_log where ${join(conditions, ' and ')}
    order by at desc, request_id desc limit ${filter.limit}`
}

/** A call that is no longer in the log has neither operation nor code. */
const newestRow = z.object({
  at: z.date(),
  door: z.string(),
  operation: z.string().nullable(),
  code: z.string().nullable(),
})
export type NewestCall = z.infer<typeof newestRow>

/** An account's newest call with a key, from its log or else from its keys' last use. */
export const selectOptionalNewestCall = (db: Db, accountId: string) =>
  query.optionalRow(db, newestRow)`
    (select at, door, operation, code, true as is_logged from request_log
     where account_id = ${accountId} order by at desc limit 1)
    union all
    (select last_used_at, last_used_door, null, null, false from api_key
     where account_id = ${accountId} and last_used_at is not null
     order by last_used_at desc limit 1)
    order by at desc, is_logged desc limit 1`
