import { z } from 'zod'
import { type Db, queryOptionalRow } from '../../platform/database/sql.ts'

const callRow = z.object({
  at: z.date(),
  door: z.string(),
  /** null when it is longer ago than calls are kept, as is `code` */
  operation: z.string().nullable(),
  /** `ok`, or a code of the error catalogue */
  code: z.string().nullable(),
})
export type NewestCall = z.infer<typeof callRow>

/** The newest call with a key of the account, as far as it is written down: from its log, or, to the minute, from its keys. */
export const selectOptionalNewestCall = (
  db: Db,
  accountId: string,
): Promise<NewestCall | undefined> =>
  queryOptionalRow(
    db,
    callRow,
    `(select at, door, operation, code, true as is_logged from request_log
      where account_id = $1 order by at desc limit 1)
     union all
     (select last_used_at, last_used_door, null, null, false from api_key
      where account_id = $1 and last_used_at is not null order by last_used_at desc limit 1)
     order by at desc, is_logged desc limit 1`,
    [accountId],
  )
