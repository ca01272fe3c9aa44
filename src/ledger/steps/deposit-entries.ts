import type { Db } from '../../platform/database/sql.ts'
import type { EntryKind, LedgerAccount } from '../rules/ledger.ts'
import { postEntries } from '../store/entries.ts'

/** A deposit as the ledger sees it. */
export type DepositMoney = {
  id: string
  account_id: string
  kind: 'deposit' | 'guarantee'
  amount_minor: number
  currency: string
  is_demo: boolean
}

/** The move of a kind of entry: to `debit`, from `credit`. */
type Moved = { kind: EntryKind; debit: LedgerAccount; credit: LedgerAccount; note: string }

const taken: Moved = {
  ...{ kind: 'deposit_taken', debit: 'unbilled', credit: 'deposits' },
  note: 'Deposit for a booking',
}
const kept: Moved = {
  ...{ kind: 'deposit_kept', debit: 'deposits', credit: 'venue_payable' },
  note: 'Deposit kept for the venue',
}
const returned: Moved = {
  ...{ kind: 'deposit_returned', debit: 'deposits', credit: 'unbilled' },
  note: 'Deposit returned',
}

/** Those of demo venues are no money, like their fees. */
async function post(tx: Db, deposit: DepositMoney, moves: readonly Moved[], at: Date) {
  if (deposit.is_demo) return
  const { id, account_id: accountId, currency, amount_minor: amountMinor } = deposit
  const of = { accountId, currency, amountMinor, sourceKind: 'deposit', sourceId: id, at }
  await postEntries(
    tx,
    moves.map((move) => ({ ...of, ...move })),
  )
}

/** Deposits on the account's balance: charged and returned with the invoice of the month. */
export const balanceDeposits = {
  take: (tx: Db, deposit: DepositMoney, at: Date) =>
    post(tx, deposit, deposit.kind === 'deposit' ? [taken] : [], at),
  keep: (tx: Db, deposit: DepositMoney, at: Date) =>
    post(tx, deposit, deposit.kind === 'deposit' ? [kept] : [taken, kept], at),
  /** `wasKept`: what the venue was to get goes back. */
  giveBack: (tx: Db, deposit: DepositMoney, wasKept: boolean, at: Date) => {
    const back = wasKept ? { ...returned, debit: 'venue_payable' as const } : returned
    return post(tx, deposit, wasKept || deposit.kind === 'deposit' ? [back] : [], at)
  },
}
