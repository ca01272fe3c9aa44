import type { Db } from '../../platform/database/sql.ts'
import { insertAccountEvent } from '../../webhooks/store/events.ts'
import { selectOptionalInvoice } from '../store/invoices.ts'

type Notice = { accountId: string; id: string; type: 'invoice.created' | 'invoice.paid'; at: Date }

/** Writes an event with the invoice's current state. */
export async function publishInvoiceEvent(tx: Db, { accountId, id, type, at }: Notice) {
  const invoice = await selectOptionalInvoice(tx, accountId, id)
  const { status = 'void' } = invoice ?? {}
  if (!invoice || status === 'void') throw new Error(`account ${accountId} owes no invoice ${id}`)
  const { number, month, total_minor, due_minor, currency, due_at, is_test } = invoice
  const { total_text, due_text } = invoice
  const amounts = { total_minor, total_text, due_minor, due_text, currency }
  const data = { invoice_id: id, number, month, status, ...amounts, due_at, is_test }
  await insertAccountEvent(tx, { accountId, type, data, at })
}
