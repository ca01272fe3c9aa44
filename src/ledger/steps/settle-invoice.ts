import type { Db } from '../../platform/database/sql.ts'
import { hasPosted, postEntries } from '../store/entries.ts'
import { addPayment, type InvoiceState, lockOptionalInvoice } from '../store/invoice-state.ts'
import { publishInvoiceEvent } from './publish-invoice-event.ts'

type Payment = {
  /** the kind of source, such as `payment`; each source pays once */
  sourceKind: string
  sourceId: string
  /** in the invoice's currency; by default the amount due */
  amountMinor?: number
  at: Date
  note?: string
}

/**
 * Applies a payment to an invoice. Any excess becomes the account's credit, as does any payment for
 * an invoice that is not open. Undefined if there is no such invoice.
 */
export async function settleInvoice(
  tx: Db,
  invoiceId: string,
  { amountMinor, ...payment }: Payment,
): Promise<InvoiceState | undefined> {
  const invoice = await lockOptionalInvoice(tx, invoiceId)
  if (!invoice || (await hasPosted(tx, { ...payment, kinds: ['paid', 'credited'] }))) return invoice
  const due = invoice.status === 'open' ? invoice.total_minor - invoice.paid_minor : 0
  const received = amountMinor ?? due
  const paid = Math.min(received, due)
  const of = { ...payment, accountId: invoice.account_id, currency: invoice.currency }
  const entries = [
    { kind: 'paid', credit: 'receivable', amountMinor: paid },
    { kind: 'credited', credit: 'credit', amountMinor: received - paid },
  ] as const
  await postEntries(
    tx,
    entries
      .filter((one) => one.amountMinor > 0)
      .map((one) => ({ ...of, ...one, debit: 'cash' as const })),
  )
  if (paid === 0) return invoice
  const after = await addPayment(tx, invoiceId, paid, payment.at)
  if (after.status === 'paid') {
    const { account_id: accountId, id } = after
    await publishInvoiceEvent(tx, { accountId, id, type: 'invoice.paid', at: payment.at })
  }
  return after
}
