import sql, { type Sql } from 'sql-template-tag'

/**
 * SQL for a booking's fee status: null before it is invoiced, `invoiced` until its invoice is paid
 * or voided, then `settled`. It is derived from the invoices, and so cannot contradict them.
 */
export const invoicedFee = (bookingId: Sql): Sql => sql`(
  select case i.status when 'open' then 'invoiced' else 'settled' end
  from invoice_line l
    join invoice i on i.id = l.invoice_id
    join ledger_entry e on e.id = l.entry_id
    join fee_entry f on f.id = e.source_id
  where l.booking_id = ${bookingId} and l.kind = 'fee' and f.reversed_by is null)`
