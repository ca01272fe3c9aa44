import { z } from 'zod'
import { type Db, execute, queryOptionalRow, queryRow } from '../../platform/database/sql.ts'

const usedRow = z.object({ used: z.int() })
const takenRow = usedRow.extend({ granted: z.int() })
export type Taken = z.infer<typeof takenRow>

/** `day` is a UTC date, YYYY-MM-DD. */
export type QuotaRequest = { accountId: string; day: string; wanted: number; limit: number }

/**
 * Takes up to `wanted` requests from the account's quota of the day, exactly, even under
 * concurrency.
 */
export async function takeQuota(db: Db, request: QuotaRequest): Promise<Taken> {
  const { accountId, day, wanted, limit } = request
  const values = [accountId, day, wanted, limit]
  const all = await queryOptionalRow(db, usedRow, takeAll, values)
  if (all) return { granted: wanted, used: all.used }
  const some = await queryOptionalRow(db, takenRow, takeSome, values)
  if (some) return some
  await execute(
    db,
    'insert into quota_day (account_id, day, used) values ($1, $2, 0) on conflict do nothing',
    [accountId, day],
  )
  return queryRow(db, takenRow, takeSome, values)
}

/**
 * In a statement's FROM clause: its commit does not wait for the disk. set_config lasts as long as
 * the transaction.
 */
export const soon = `set_config('synchronous_commit', 'off', true) relaxed`

/** The usual case, a third cheaper than the other. */
const takeAll = `
  update quota_day set used = used + $3
  from ${soon}
  where account_id = $1 and day = $2 and used + $3 <= $4
  returning used`

// The row is locked before it is read, so that `granted` is the difference this statement made.
const takeSome = `
  update quota_day q
  set used = greatest(before.used, least($4, before.used + $3))
  from (
    select account_id, day, used from quota_day where account_id = $1 and day = $2 for update
  ) before, ${soon}
  where q.account_id = before.account_id and q.day = before.day
  returning q.used - before.used as granted, q.used`
