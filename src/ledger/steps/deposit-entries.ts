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

const taken = (note = 'Deposit for a booking'): Moved => ({
  ...{ kind: 'deposit_taken', debit: 'unbilled', credit: 'deposits' },
  note,
})
const charged = taken('Guarantee of a booking, kept for the venue')
const kept: Moved = {
  ...{ kind: 'deposit_kept', debit: 'deposits', credit: 'venue_payable' },
  note: 'Deposit kept for the venue',
}
const returned = (wasKept: boolean): Moved => ({
  ...{
    kind: 'deposit_returned',
    debit: wasKept ? 'venue_payable' : 'deposits',
    credit: 'unbilled',
  },
  note: 'Deposit returned',
})

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

/** Deposits in the ledger, for the month's invoice. */
export const ledgerDeposits = {
  take: (tx: Db, deposit: DepositMoney, at: Date) =>
    post(tx, deposit, deposit.kind === 'deposit' ? [taken()] : [], at),
  keep: (tx: Db, deposit: DepositMoney, at: Date) =>
    post(tx, deposit, deposit.kind === 'deposit' ? [kept] : [charged, kept], at),
  /** `wasKept`: what the venue was to get goes back. */
  giveBack: (tx: Db, deposit: DepositMoney, wasKept: boolean, at: Date) => {
    const isMoney = wasKept || deposit.kind === 'deposit'
    return post(tx, deposit, isMoney ? [returned(wasKept)] : [], at)
  },
}
