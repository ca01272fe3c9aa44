import type { Db } from '../../platform/database/sql.ts'
import { lockInvoices } from '../store/close-month.ts'
import { postEntries } from '../store/entries.ts'
import {
  type InvoiceState,
  insertCreditNote,
  lockOptionalInvoice,
  updateInvoiceVoid,
} from '../store/invoice-state.ts'

/**
 * Voids an open invoice with a credit note: nothing is due any longer, and partial payments become
 * credit. Returns the invoice as it was before; leaves other invoices unchanged.
 */
export async function voidInvoice(
  tx: Db,
  accountId: string,
  invoiceId: string,
  { reason, at }: { reason: string; at: Date },
): Promise<InvoiceState | undefined> {
  await lockInvoices(tx, accountId)
  const invoice = await lockOptionalInvoice(tx, invoiceId)
  if (invoice?.account_id !== accountId) return undefined
  if (invoice.status !== 'open') return invoice
  await updateInvoiceVoid(tx, invoiceId, at)
  const sourceId = await insertCreditNote(tx, invoiceId, reason, at)
  const { currency, total_minor, paid_minor } = invoice
  const of = { accountId, currency, sourceKind: 'credit_note', sourceId, at, note: reason }
  const parts = [
    { kind: 'corrected', credit: 'receivable', amountMinor: total_minor - paid_minor },
    { kind: 'credited', credit: 'credit', amountMinor: paid_minor },
  ] as const
  await postEntries(
    tx,
    parts.filter((one) => one.amountMinor > 0).map((one) => ({ ...of, ...one, debit: 'revenue' })),
  )
  return invoice
}
