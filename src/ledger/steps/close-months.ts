import { DAY_MS } from '../../contract/rules/durations.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import { monthStart, nextMonth, PAYMENT_DAYS } from '../rules/invoices.ts'
import type { LedgerEntry } from '../rules/ledger.ts'
import { chargeBackReturns, chargeOverdrawnCredit } from '../store/charge-back.ts'
import * as store from '../store/close-month.ts'
import { postEntries } from '../store/entries.ts'
import { tellOfInvoice } from './tell-of-invoice.ts'

/** Accounts closed by one call without `accountId`. */
const ACCOUNTS = 200

/**
 * Closes the months that are over at `at` into invoices: of an account, or of accounts that have
 * not been closed yet. Returns how many invoices were issued; `hasMore`: call again. Repeatable,
 * since an entry is on one invoice and a month has one invoice in a currency.
 */
export async function closeMonths(db: Pool, { accountId, at }: { accountId?: string; at: Date }) {
  const until = monthStart(at)
  const due = accountId
    ? [{ id: accountId }]
    : await store.selectAccountsToClose(db, until, ACCOUNTS)
  let invoices = 0
  for (const { id } of due) {
    invoices += await transaction(db, (tx) => closeMonthsOf(tx, id, at))
  }
  return { accounts: due.length, invoices, hasMore: !accountId && due.length === ACCOUNTS }
}

/** Closes the ended months of one account, oldest first, in the transaction of the caller. */
async function closeMonthsOf(tx: Db, accountId: string, at: Date): Promise<number> {
  if (!(await store.lockInvoices(tx, accountId))) return 0
  const end = monthStart(at)
  await chargeBackReturns(tx, accountId, end)
  await chargeOverdrawnCredit(tx, accountId, end)
  const { from: oldest } = await store.selectOldestUnbilled(tx, accountId, end)
  const issued: store.Issued[] = []
  for (let from = oldest && monthStart(oldest); from && from < end; from = nextMonth(from)) {
    const dueAt = new Date(at.getTime() + PAYMENT_DAYS * DAY_MS)
    const month = { accountId, from, until: nextMonth(from), at, dueAt }
    const invoices = await store.insertInvoicesOfMonth(tx, month)
    await postEntries(
      tx,
      invoices.flatMap((invoice) => entriesOf(accountId, invoice, at)),
    )
    issued.push(...invoices)
  }
  await store.updateInvoicedUntil(tx, accountId, end)
  for (const { id } of issued) {
    await tellOfInvoice(tx, { accountId, id, type: 'invoice.created', at })
  }
  return issued.length
}

/** What is owed becomes receivable, or the account's credit; credit pays for what it covers. */
function entriesOf(accountId: string, invoice: store.Issued, at: Date): LedgerEntry[] {
  const { id, currency, total_minor, credit_minor } = invoice
  const of = { accountId, currency, sourceKind: 'invoice', sourceId: id, at }
  const amountMinor = Math.abs(total_minor)
  const sides =
    total_minor > 0
      ? ({ debit: 'receivable', credit: 'unbilled' } as const)
      : ({ debit: 'unbilled', credit: 'credit' } as const)
  return [
    ...(amountMinor > 0 ? [{ ...of, kind: 'invoiced', ...sides, amountMinor } as const] : []),
    ...(credit_minor > 0
      ? [
          {
            ...of,
            ...({ kind: 'paid', debit: 'credit', credit: 'receivable' } as const),
            amountMinor: credit_minor,
          },
        ]
      : []),
  ]
}
