import sql, { type Sql } from 'sql-template-tag'

/**
 * The accounts that a pass covers: all of one mode in real time, or one sandbox on its test clock.
 */
export type Payers = { mode: 'live' | 'test'; accountId: string | null }

/** SQL for whether an account is among these payers. */
export const isOf = ({ mode, accountId }: Payers, column: Sql): Sql => sql`exists (
  select from account payer where payer.id = ${column} and payer.mode = ${mode}
    and case when ${accountId}::uuid is null then payer.sandbox_kind is distinct from 'clock'
      else payer.id = ${accountId} end)`
