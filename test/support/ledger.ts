import { randomUUID } from 'node:crypto'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { balancesOf } from '../../src/ledger/store/balances.ts'
import type { Pool } from '../../src/platform/database/sql.ts'

export async function openLedgerAccount(db: Pool): Promise<string> {
  const id = randomUUID()
  await insertAccount(db, { id, name: 'ledger', tier: 'pro', at: new Date() })
  return id
}

/** The balances of an account that are not zero, by names such as `IDR cash`. */
export const balances = async (db: Pool, accountId: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await balancesOf(db, accountId))
      .filter(({ balance_minor }) => balance_minor !== 0)
      .map(({ currency, account, balance_minor }) => [`${currency} ${account}`, balance_minor]),
  )

/** The invoices and credit notes of an account, by number. */
export const invoicesOf = async (db: Pool, accountId: string) =>
  (
    await db.query(
      `select id, number, to_char(month, 'YYYY-MM') as month, currency, total_minor, credit_minor,
         paid_minor, status, kind from invoice where account_id = $1 order by sequence`,
      [accountId],
    )
  ).rows

/** The lines of an account's invoices. */
export const invoiceLinesOf = async (db: Pool, accountId: string) =>
  (
    await db.query(
      `select i.number, l.kind, l.description, l.amount_minor from invoice i
         join invoice_line l on l.invoice_id = i.id
       where i.account_id = $1 order by i.sequence, l.position`,
      [accountId],
    )
  ).rows
