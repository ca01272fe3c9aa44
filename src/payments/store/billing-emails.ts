import { z } from 'zod'
import { type Db, queryRows } from '../../platform/database/sql.ts'

const emailRow = z.object({ email: z.string() })

/** The verified addresses of those who pay for an account: owners and billing members. */
export async function selectBillingEmails(db: Db, accountId: string): Promise<string[]> {
  const rows = await queryRows(db, emailRow)`
    select d.email from member m join developer d on d.id = m.developer_id
    where m.account_id = ${accountId} and m.role in ('owner', 'billing')
      and d.verified_at is not null
    order by m.created_at, d.id`
  return rows.map(({ email }) => email)
}
