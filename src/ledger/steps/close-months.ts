import { DAY_MS } from '../../base/durations.ts'
import { continuePass, type PassDeps } from '../../platform/database/continue-pass.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import { monthStart, nextMonth, PAYMENT_DAYS } from '../rules/invoices.ts'
import type { LedgerEntry } from '../rules/ledger.ts'
import { chargeBackReturns, chargeOverdrawnCredit } from '../store/charge-back.ts'
import * as store from '../store/close-month.ts'
import { postEntries } from '../store/entries.ts'
import { publishInvoiceEvent } from './publish-invoice-event.ts'

/**
 * Issues the invoices of all months that ended before `at`, for every account. A failure affects
 * only its own account. Safe to repeat: each entry is on only one invoice, and each month has one
 * invoice per currency.
 */
export async function closeMonths(deps: PassDeps, at: Date): Promise<Pass & { invoices: number }> {
  let invoices = 0
  const pass = await continuePass(deps, 'close-months', {
    select: (page) => store.selectAccountsToClose(deps.db, monthStart(at), page),
    idOf: ({ id }) => id,
    async help({ id }) {
      invoices += await closeMonthsOf(deps.db, id, at)
    },
  })
  return { ...pass, invoices }
}

/** Closes an account's ended months; returns how many invoices were issued. */
export const closeMonthsOf = (db: Pool, accountId: string, at: Date): Promise<number> =>
  transaction(db, (tx) => closeInOrder(tx, accountId, at))

/** Closes the months in the caller's transaction, oldest first. */
async function closeInOrder(tx: Db, accountId: string, at: Date): Promise<number> {
  if (!(await store.lockInvoices(tx, accountId))) return 0
  const end = monthStart(at)
  await chargeBackReturns(tx, accountId, end)
  await chargeOverdrawnCredit(tx, accountId, end)
  const oldest = await store.selectOldestUnbilled(tx, accountId, end)
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
    await publishInvoiceEvent(tx, { accountId, id, type: 'invoice.created', at })
  }
  return issued.length
}

/** Unbilled amounts become receivable or credit, and credit pays as much as it covers. */
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
