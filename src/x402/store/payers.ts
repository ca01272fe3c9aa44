import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { insertAccount } from '../../accounts/store/accounts.ts'
import type { Account } from '../../contract/operation.ts'
import { type Pool, query, transaction } from '../../platform/database/sql.ts'

const accountRow = z.object({
  id: z.uuid(),
  name: z.string(),
  tier: z.enum(['free', 'pro']),
  mode: z.enum(['live', 'test']),
})

export type Wallet = { network: string; address: string }

/** The account of a wallet that has paid without a key. */
export const selectOptionalPayer = (db: Pick<Pool, 'query'>, { network, address }: Wallet) =>
  query.optionalRow(db, accountRow)`
    select a.id, a.name, a.tier, a.mode from x402_payer p join account a on a.id = p.account_id
    where p.network = ${network} and p.address = ${address}`

class PayerExists extends Error {}

/** The account of a wallet that pays without a key, opened when it first pays. */
export async function accountOfPayer(db: Pool, wallet: Wallet, at: Date): Promise<Account> {
  const { network, address } = wallet
  const payer = await selectOptionalPayer(db, wallet)
  if (payer) return payer
  const id = randomUUIDv7()
  const name = `Wallet ${address}`
  try {
    await transaction(db, async (tx) => {
      await insertAccount(tx, { id, name, tier: 'free', at })
      const count = await query.execute(tx)`
        insert into x402_payer (network, address, account_id, created_at)
        values (${network}, ${address}, ${id}, ${at}) on conflict do nothing`
      if (count === 0) throw new PayerExists()
    })
    return { id, name, tier: 'free', mode: 'live' }
  } catch (error) {
    const winner = error instanceof PayerExists ? await selectOptionalPayer(db, wallet) : undefined
    if (winner) return winner
    throw error
  }
}
