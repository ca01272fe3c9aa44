import { text } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** The verified addresses of those who pay for an account: owners and billing members. */
export const selectBillingEmails = (db: Db, accountId: string) =>
  query.values(db, text)`
    select d.email from member m join developer d on d.id = m.developer_id
    where m.account_id = ${accountId} and m.role in ('owner', 'billing')
      and d.verified_at is not null
    order by m.created_at, d.id`
