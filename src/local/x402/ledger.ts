import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'

const bigint = z.coerce.bigint()
const transferRow = z.object({
  hash: z.string(),
  sender: z.string(),
  recipient: z.string(),
  amount: bigint,
})
type LocalTransfer = z.output<typeof transferRow>

type Wallet = { network: string; address: string }

/** A test wallet's balance, in the asset's smallest unit. */
export const selectBalance = async (db: Db, { network, address }: Wallet): Promise<bigint> =>
  (await query.optionalValue(db, bigint)`
    select balance::text as balance from x402_local_wallet
    where network = ${network} and address = ${address.toLowerCase()}`) ?? 0n

/** Adds money to a test wallet; returns its new balance. */
export const fundWallet = async (db: Db, { network, address }: Wallet, amount: bigint) =>
  (await query.optionalValue(db, bigint)`
    insert into x402_local_wallet (network, address, balance)
    values (${network}, ${address.toLowerCase()}, ${String(amount)}::bigint)
    on conflict (network, address) do update
      set balance = x402_local_wallet.balance + excluded.balance
    returning balance::text as balance`) ?? 0n

/** The transfer that used an authorisation. */
export const selectTransferOf = (
  db: Db,
  { network, sender, nonce }: { network: string; sender: string; nonce: string },
) =>
  query.optionalRow(db, transferRow)`
    select hash, sender, recipient, amount::text as amount from x402_local_transfer
    where network = ${network} and sender = ${sender.toLowerCase()} and nonce = ${nonce}`

/** A transfer by its hash. */
export const selectTransfer = (db: Db, hash: string) =>
  query.optionalRow(db, transferRow)`
    select hash, sender, recipient, amount::text as amount from x402_local_transfer
    where hash = ${hash}`

export type NewTransfer = Omit<LocalTransfer, 'amount'> & {
  network: string
  amount: bigint
  nonce: string
  at: Date
}

/**
 * Moves money between test wallets in one statement. False if the nonce is used; the wallet's
 * constraint rejects a balance below zero.
 */
export async function insertTransfer(db: Db, transfer: NewTransfer): Promise<boolean> {
  const { hash, network, nonce, at } = transfer
  const [sender, recipient] = [transfer.sender.toLowerCase(), transfer.recipient.toLowerCase()]
  const amount = String(transfer.amount)
  const written = await query.execute(db)`
    with moved as (
      insert into x402_local_transfer (hash, network, sender, recipient, amount, nonce, at)
      values (${hash}, ${network}, ${sender}, ${recipient}, ${amount}::bigint, ${nonce}, ${at})
      on conflict do nothing
      returning sender, recipient, amount
    ), taken as (
      update x402_local_wallet w set balance = w.balance - m.amount from moved m
      where w.network = ${network} and w.address = m.sender
    ), given as (
      insert into x402_local_wallet (network, address, balance)
      select ${network}, recipient, amount from moved
      on conflict (network, address) do update
        set balance = x402_local_wallet.balance + excluded.balance
      returning address
    )
    select from moved`
  return written === 1
}
