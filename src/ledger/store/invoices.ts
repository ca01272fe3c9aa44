import sql from 'sql-template-tag'
import { z } from 'zod'
import { withTexts } from '../../contract/local-times.ts'
import { int, isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { type Invoice, invoice, invoiceLine } from '../schema/invoices.ts'

const row = invoice
  .extend({
    issued_at: isoTime,
    due_at: isoTime,
    paid_at: isoTime.nullable(),
    voided_at: isoTime.nullable(),
  })
  .overwrite(withTexts)
const columns = sql`i.id, i.number, i.kind, to_char(i.month, 'YYYY-MM') as month, i.currency,
  i.total_minor, i.credit_minor, i.paid_minor,
  case i.status when 'open' then i.total_minor - i.paid_minor else 0 end as due_minor, i.status,
  i.issued_at, i.due_at, i.paid_at, i.voided_at, i.credits, a.mode = 'test' as is_test`

type Filter = {
  accountId: string
  month: string | null
  status: Invoice['status'] | null
  currency: string | null
}
/** `after` is the sequence number of the last invoice on the previous page. */
type Page = { after: number | null; limit: number }

const listed = row.extend({ sequence: z.int() })

/** A page of an account's invoices and credit notes, newest first. */
export const selectInvoiceList = (db: Db, { accountId, ...filter }: Filter, page: Page) =>
  query.rowsUnprepared(db, listed)`
    select ${columns}, i.sequence from invoice i join account a on a.id = i.account_id
    where i.account_id = ${accountId}
      and (${filter.month}::text is null or i.month = to_date(${filter.month}, 'YYYY-MM'))
      and (${filter.status}::text is null or i.status = ${filter.status})
      and (${filter.currency}::text is null or i.currency = ${filter.currency})
      and (${page.after}::int is null or i.sequence < ${page.after})
    order by i.sequence desc limit ${page.limit}`

/** An account's invoice or credit note. */
export const selectOptionalInvoice = (db: Db, accountId: string, id: string) =>
  query.optionalRow(db, row)`
    select ${columns} from invoice i join account a on a.id = i.account_id
    where i.id = ${id} and i.account_id = ${accountId}`

const lineRow = invoiceLine.extend({ at: isoTime }).overwrite(withTexts)

/** An invoice's lines after a given position. */
export const selectInvoiceLines = (
  db: Db,
  invoiceId: string,
  { after, limit }: { after: number; limit: number },
) =>
  query.rows(db, lineRow)`
    select l.position, l.kind, l.description, l.booking_id, l.slot_time, l.timezone, l.party_size,
      l.base_minor, l.pct, l.amount_minor, i.currency, l.at
    from invoice_line l join invoice i on i.id = l.invoice_id
    where l.invoice_id = ${invoiceId} and l.position > ${after}
    order by l.position limit ${limit}`

/** How many lines an invoice has. */
export const countInvoiceLines = (db: Db, invoiceId: string): Promise<number> =>
  query.value(db, int)`
    select coalesce(max(position), 0) from invoice_line where invoice_id = ${invoiceId}`
