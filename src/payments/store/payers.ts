import sql, { type Sql } from 'sql-template-tag'
import { type Db, query } from '../../platform/database/sql.ts'

/** The accounts of a pass: all of one mode in real time, or one sandbox on its test clock. */
export type Payers = { mode: 'live' | 'test'; accountId: string | null }

/** SQL for whether an account is among these payers. */
export const isOf = ({ mode, accountId }: Payers, column: Sql): Sql => sql`exists (
  select from account payer where payer.id = ${column} and payer.mode = ${mode}
    and case when ${accountId}::uuid is null then payer.sandbox_kind is distinct from 'clock'
      else payer.id = ${accountId} end)`

/** Whether an account has been deleted or suspended, so that its payment pages must close. */
export const isClosedPayer = (db: Db, accountId: string) =>
  query.affectsRow(db)`
    select from account
    where id = ${accountId} and (deleted_at is not null or suspended_at is not null)`
