import { z } from 'zod'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const refusalRow = z.object({ code: z.string(), calls: z.int(), last_at: isoTime })

/** Refusals are counted no further than this. */
const MAX_REFUSED = 10_000

/** The codes of an account’s refused calls since a given moment, most frequent first. */
export const selectRefusals = (db: Db, accountId: string, since: Date, limit: number) =>
  query.rows(db, refusalRow)`
    select code, sum(calls) as calls, max(at) as last_at
    from (select code, calls, at from request_log
      where account_id = ${accountId} and at >= ${since} and code <> 'ok'
      order by at desc limit ${MAX_REFUSED}) as refused
    group by code order by calls desc, code limit ${limit}`

const progressRow = z.object({
  has_verified: z.boolean(),
  has_key: z.boolean(),
  has_called: z.boolean(),
  has_tested: z.boolean(),
  has_booked: z.boolean(),
  has_endpoint: z.boolean(),
})

/** Which of the first steps an account has taken. */
export const selectProgress = (db: Db, accountId: string) =>
  query.row(db, progressRow)`
    select
      not exists (select from member m join developer d on d.id = m.developer_id
        where m.account_id = ${accountId} and d.verified_at is null) as has_verified,
      exists (select from api_key where account_id = ${accountId} and revoked_at is null)
        as has_key,
      exists (select from api_key where account_id = ${accountId} and last_used_at is not null)
        or exists (select from request_log where account_id = ${accountId}) as has_called,
      exists (select from account s join request r on r.account_id = s.id
        where s.live_account_id = ${accountId}) as has_tested,
      exists (select from booking where account_id = ${accountId}) as has_booked,
      exists (select from endpoint where account_id = ${accountId} and deleted_at is null)
        as has_endpoint`
