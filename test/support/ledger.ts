import { randomUUID } from 'node:crypto'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { balancesOf } from '../../src/ledger/store/balances.ts'
import type { Pool } from '../../src/platform/database/sql.ts'

export async function openLedgerAccount(db: Pool): Promise<string> {
  const id = randomUUID()
  await insertAccount(db, { id, name: 'ledger', tier: 'pro', at: new Date() })
  return id
}

/** The balances of an account that are not zero, as `IDR cash`. */
export const balances = async (db: Pool, accountId: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await balancesOf(db, accountId))
      .filter(({ balance_minor }) => balance_minor !== 0)
      .map(({ currency, account, balance_minor }) => [`${currency} ${account}`, balance_minor]),
  )
