import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import { invoiceStatuses } from '../rules/invoices.ts'

const stateRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  kind: z.enum(['invoice', 'credit_note']),
  number: z.string(),
  currency: z.string(),
  total_minor: z.int(),
  paid_minor: z.int(),
  status: z.enum(invoiceStatuses),
})
export type InvoiceState = z.infer<typeof stateRow>

/** An invoice or credit note, locked until the transaction ends. */
export const lockOptionalInvoice = (tx: Db, id: string) =>
  query.optionalRow(tx, stateRow)`
    select id, account_id, kind, number, currency, total_minor, paid_minor, status
    from invoice where id = ${id} for update`

/** Adds a payment to an open invoice, and marks it paid once the total is covered. */
export const addPayment = (tx: Db, id: string, minor: number, at: Date) =>
  query.row(tx, stateRow)`
    update invoice set paid_minor = paid_minor + ${minor},
      status = case when paid_minor + ${minor} = total_minor then 'paid' else 'open' end,
      paid_at = case when paid_minor + ${minor} = total_minor then ${at}::timestamptz end
    where id = ${id}
    returning id, account_id, kind, number, currency, total_minor, paid_minor, status`

/** Marks an open invoice as void. */
export const updateInvoiceVoid = (tx: Db, id: string, at: Date) =>
  query.execute(tx)`
    update invoice set status = 'void', voided_at = ${at} where id = ${id}`

/** Issues an invoice's credit note, with the account's next number. Returns its id. */
export async function insertCreditNote(tx: Db, invoiceId: string, reason: string, at: Date) {
  const id = randomUUIDv7()
  await query.execute(tx)`
    with note as (
      insert into invoice (id, account_id, kind, sequence, number, month, currency,
        total_minor, credit_minor, paid_minor, status, issued_at, due_at, paid_at, credits)
      select ${id}, account_id, 'credit_note', n.sequence,
        invoice_number(account_id, n.sequence), month, currency, -total_minor, 0, 0, 'paid', ${at},
        ${at}, ${at}, i.id
      from invoice i cross join lateral (
        select max(sequence) + 1 as sequence from invoice o
        where o.account_id = i.account_id) n
      where i.id = ${invoiceId}
    )
    insert into invoice_line (invoice_id, position, kind, description, amount_minor, at)
    select ${id}, 1, 'credit_note', 'Credit for ' || number || ': ' || ${reason}::text,
      -total_minor, ${at}
    from invoice where id = ${invoiceId}`
  return id
}
