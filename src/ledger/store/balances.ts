import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import { ledgerAccounts } from '../rules/ledger.ts'

const balanceRow = z.object({
  currency: z.string(),
  account: z.enum(ledgerAccounts),
  debit_minor: z.int(),
  credit_minor: z.int(),
  balance_minor: z.int(),
})
/** `balance_minor` is debits minus credits, so balances in a currency add up to zero. */
export type Balance = z.infer<typeof balanceRow>

/** The balance of each of an account's ledger accounts, per currency. */
export const balancesOf = (db: Db, accountId: string): Promise<Balance[]> =>
  query.rows(db, balanceRow)`
    select currency, account, sum(debit_minor)::bigint as debit_minor,
      sum(credit_minor)::bigint as credit_minor,
      sum(debit_minor - credit_minor)::bigint as balance_minor
    from ledger_entry cross join lateral (values
      (debit, amount_minor, 0), (credit, 0, amount_minor)) side (account, debit_minor, credit_minor)
    where account_id = ${accountId}
    group by currency, account order by currency, account`
