import sql from 'sql-template-tag'
import { z } from 'zod'
import type { AccountMode } from '../../contract/operation.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const usedRow = z.object({ used: z.int() })
const grantRow = usedRow.extend({ granted: z.int() })
export type QuotaGrant = z.infer<typeof grantRow>

/** `day` is a UTC date, YYYY-MM-DD. */
export type QuotaRequest = {
  /** a live account: its sandboxes share a quota, separate from its own */
  accountId: string
  mode: AccountMode
  day: string
  count: number
  limit: number
}

/** Takes up to `count` requests from an account's daily quota; exact under concurrency. */
export async function takeQuota(db: Db, request: QuotaRequest): Promise<QuotaGrant> {
  const { accountId, mode, day, count } = request
  const all = await query.optionalRow(db, usedRow)`${takeAll(request)}`
  if (all) return { granted: count, used: all.used }
  const some = await query.optionalRow(db, grantRow)`${takeSome(request)}`
  if (some) return some
  await query.execute(db)`
    insert into quota_day (account_id, mode, day, used) values (${accountId}, ${mode}, ${day}, 0)
    on conflict do nothing`
  return query.row(db, grantRow)`${takeSome(request)}`
}

/** For a FROM clause: the commit of the whole transaction will not wait for the disk. */
export const soon = sql`set_config('synchronous_commit', 'off', true) relaxed`

/** The usual case; costs a third less than `takeSome`. */
const takeAll = ({ accountId, mode, day, count, limit }: QuotaRequest) => sql`
  update quota_day set used = used + ${count}
  from ${soon}
  where account_id = ${accountId} and mode = ${mode} and day = ${day}
    and used + ${count} <= ${limit}
  returning used`

// Locks the row before reading it, so that `granted` is exactly what this statement added.
const takeSome = ({ accountId, mode, day, count, limit }: QuotaRequest) => sql`
  update quota_day q
  set used = greatest(before.used, least(${limit}, before.used + ${count}))
  from (
    select account_id, mode, day, used from quota_day
    where account_id = ${accountId} and mode = ${mode} and day = ${day} for update
  ) before, ${soon}
  where q.account_id = before.account_id and q.mode = before.mode and q.day = before.day
  returning q.used - before.used as granted, q.used`
