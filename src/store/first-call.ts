import { z } from 'zod'
import { type Db, queryRow } from './sql.ts'

const row = z.object({ called: z.boolean() })

/** Whether a request of the account was ever counted. */
export async function selectHasCalled(db: Db, accountId: string): Promise<boolean> {
  const { called } = await queryRow(
    db,
    row,
    'select exists (select from quota_day where account_id = $1 and used > 0) as called',
    [accountId],
  )
  return called
}
