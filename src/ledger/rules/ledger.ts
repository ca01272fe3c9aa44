/**
 * The ledger accounts of each account: its debts before (`unbilled`) and after invoicing
 * (`receivable`), `credit` that the network owes it, and `goodwill` that the network gave away.
 */
export const ledgerAccounts = [
  ...(['unbilled', 'receivable', 'revenue', 'cash', 'credit', 'goodwill', 'exchange'] as const),
] as const
export type LedgerAccount = (typeof ledgerAccounts)[number]

export const entryKinds = [
  ...(['accrued', 'reversed', 'invoiced', 'paid', 'refunded', 'credited', 'corrected'] as const),
] as const
export type EntryKind = (typeof entryKinds)[number]

/** An amount moving from `credit` to `debit`, in minor units of `currency`. */
export type LedgerEntry = {
  accountId: string
  currency: string
  kind: EntryKind
  debit: LedgerAccount
  credit: LedgerAccount
  amountMinor: number
  /** The kind of source, such as `payment`. A source posts each kind of entry at most once. */
  sourceKind: string
  sourceId: string
  at: Date
  note?: string
}
